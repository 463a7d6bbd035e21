"""Classes that the loss ignores."""

import torch
from torch import nn

from diagkit.checks.wrong_thing.every_target_is_learned import every_target_is_learned
from diagkit.finding import Verdict
from diagkit.probes.asked_positions import asked_positions

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(loss):
    return every_target_is_learned(asked_positions(nn.Linear(6, 4), [(X, IDS)], loss, "classification")).verdict


def test_a_class_is_ignored():
    assert judged(nn.CrossEntropyLoss(ignore_index=0)) is Verdict.FAIL


def test_all_are_learned():
    assert judged(nn.CrossEntropyLoss()) is Verdict.PASS


def test_nothing_is_learned_at_all():
    assert judged(lambda o, t: o.sum() * 0) is Verdict.PASS  # not this check's question
