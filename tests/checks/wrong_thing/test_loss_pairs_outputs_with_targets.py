"""Shapes that broadcast, and shapes that only look like it."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.loss_pairs_outputs_with_targets import loss_pairs_outputs_with_targets
from diagkit.finding import Verdict
from diagkit.probes.loss_form import loss_form
from diagkit.probes.output_form import output_form

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(model, targets, loss, task="classification"):
    train = [(X, targets)]
    return loss_pairs_outputs_with_targets(output_form(model, train), loss_form(model, train, loss, task)).verdict


def test_broadcast_against_each_other():
    assert judged(nn.Linear(6, 1), Y[:, 0], lambda o, t: ((o - t) ** 2).mean(), "regression") is Verdict.FAIL


def test_squeezed_in_the_loss():
    assert judged(nn.Linear(6, 1), Y[:, 0], lambda o, t: F.mse_loss(o[:, 0], t), "regression") is Verdict.PASS


def test_quantiles_of_one_target():
    assert judged(nn.Linear(6, 3), Y, lambda o, t: (o - t).abs().mean(), "regression") is Verdict.PASS


def test_one_example_cannot_be_exchanged():
    train = [(X[:1], Y[:1])]
    finding = loss_pairs_outputs_with_targets(
        output_form(nn.Linear(6, 1), train), loss_form(nn.Linear(6, 1), train, F.mse_loss, "regression")
    )
    assert finding.verdict is Verdict.SKIP
