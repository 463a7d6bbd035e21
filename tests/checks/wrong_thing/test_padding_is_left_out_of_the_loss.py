"""Padded tags with and without an ignored index."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.padding_is_left_out_of_the_loss import padding_is_left_out_of_the_loss
from diagkit.finding import Verdict
from diagkit.probes.asked_positions import asked_positions

BLANK = torch.arange(10) >= torch.tensor([3, 4, 5, 10] * 4)[:, None]
IDS = torch.randint(1, 9, (16, 10), generator=torch.Generator().manual_seed(0)).masked_fill(BLANK, 0)
TAGS = (1 + IDS % 3).masked_fill(BLANK, 0)


def judged(ignored):
    def loss(scores, targets):
        return F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=ignored)

    model = nn.Sequential(nn.Embedding(9, 8), nn.Linear(8, 4))
    return padding_is_left_out_of_the_loss(asked_positions(model, [(IDS, TAGS)], loss, "seq2seq")).verdict


def test_padding_is_learned():
    assert judged(-100) is Verdict.FAIL


def test_padding_is_ignored():
    assert judged(0) is Verdict.PASS
