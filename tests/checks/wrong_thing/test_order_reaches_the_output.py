"""A bag of tokens, where order matters and where it does not."""

import torch
from torch import nn

from diagkit.checks.wrong_thing.order_reaches_the_output import order_reaches_the_output
from diagkit.finding import Verdict
from diagkit.probes.order_flow import order_flow

IDS = torch.randint(2, 9, (400, 8), generator=torch.Generator().manual_seed(0))
SPOTS = torch.rand(400, 8, generator=torch.Generator().manual_seed(1)).argsort(1)[:, :2]
IDS = IDS.scatter(1, SPOTS[:, :1], 0).scatter(1, SPOTS[:, 1:], 1)
FIRST = (SPOTS[:, 0] < SPOTS[:, 1]).long()


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(9, 8), nn.Linear(8, 2)

    def forward(self, ids):
        return self.out(self.embed(ids).mean(1))


def judged(targets):
    train, val = [(IDS[:300], targets[:300])], [(IDS[300:], targets[300:])]
    return order_reaches_the_output(order_flow(Bag(), train, "classification", val)).verdict


def test_a_bag_cannot_tell_which_came_first():
    assert judged(FIRST) is Verdict.FAIL


def test_a_bag_can_count():
    assert judged(((IDS == 5).sum(1) > 0).long()) is Verdict.PASS
