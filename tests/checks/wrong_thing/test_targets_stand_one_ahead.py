"""One shift, in the data or in the loss."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.targets_stand_one_ahead import targets_stand_one_ahead
from diagkit.finding import Verdict
from diagkit.probes.asked_positions import asked_positions

TEXT = torch.randint(0, 9, (12, 17), generator=torch.Generator().manual_seed(0))
HERE, NEXT = TEXT[:, :-1], TEXT[:, 1:]


class Reader(nn.Module):
    def __init__(self, both=False, batch_first=True):
        super().__init__()
        self.embed = nn.Embedding(9, 8)
        self.read = nn.GRU(8, 8, batch_first=batch_first, bidirectional=both)
        self.out = nn.Linear(16 if both else 8, 9)

    def forward(self, ids):
        return self.out(self.read(self.embed(ids))[0])


def loss(scores, targets):
    return F.cross_entropy(scores.flatten(0, 1), targets.flatten())


def shifting_loss(scores, targets):
    return F.cross_entropy(scores[:, :-1].flatten(0, 1), targets[:, 1:].flatten())


def judged(targets, its):
    return targets_stand_one_ahead(asked_positions(Reader(), [(HERE, targets)], its, "language_model")).verdict


def test_shifted_once():
    assert judged(NEXT, loss) is Verdict.PASS
    assert judged(HERE, shifting_loss) is Verdict.PASS


def test_shifted_twice():
    assert judged(NEXT, shifting_loss) is Verdict.FAIL
