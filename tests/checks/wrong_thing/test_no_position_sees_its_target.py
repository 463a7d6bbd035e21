"""Models that see the next token, and models that do not."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.no_position_sees_its_target import no_position_sees_its_target
from diagkit.evidence.wrong_thing import FutureSight
from diagkit.finding import Verdict
from diagkit.probes.future_sight import future_sight
from diagkit.subject import NotGiven

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


def judged(model, inputs, targets, its=loss):
    return no_position_sees_its_target(future_sight(model, [(inputs, targets)], its, "language_model")).verdict


def test_both_directions_leak():
    assert judged(Reader(both=True), HERE, NEXT) is Verdict.FAIL


def test_one_direction_does_not():
    assert judged(Reader(), HERE, NEXT) is Verdict.PASS
    assert judged(Reader(batch_first=False), HERE.T, NEXT.T) is Verdict.PASS


def test_targets_given_in_place():
    assert judged(Reader(), HERE, HERE) is Verdict.FAIL
    assert judged(Reader(), HERE, HERE, shifting_loss) is Verdict.PASS


def test_targets_that_are_no_inputs():
    with pytest.raises(NotGiven):
        judged(Reader(), HERE, (HERE + 1) % 9)


def test_nan_fails():
    assert no_position_sees_its_target(FutureSight(16, 1, float("nan"), 1.0)).verdict is Verdict.FAIL
