"""Normalized twice: in the model, in the loss, and what only looks like it."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.outputs_are_normalized_once import outputs_are_normalized_once
from diagkit.finding import Verdict
from diagkit.probes.loss_form import loss_form
from diagkit.probes.output_form import output_form

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(model, targets, loss, task="classification"):
    train = [(X, targets)]
    return outputs_are_normalized_once(output_form(model, train), loss_form(model, train, loss, task)).verdict


def test_softmax_and_cross_entropy():
    model = nn.Sequential(nn.Linear(6, 4), nn.Softmax(1))
    assert judged(model, IDS, F.cross_entropy) is Verdict.FAIL


def test_softmax_in_the_loss():
    assert judged(nn.Linear(6, 4), IDS, lambda o, t: F.cross_entropy(o.softmax(1), t)) is Verdict.FAIL


def test_scores_and_log_probabilities_are_healthy():
    assert judged(nn.Linear(6, 4), IDS, F.cross_entropy) is Verdict.PASS
    assert judged(nn.Sequential(nn.Linear(6, 4), nn.LogSoftmax(1)), IDS, F.nll_loss) is Verdict.PASS
    assert judged(nn.Linear(6, 4), IDS, lambda o, t: F.cross_entropy(o, t, label_smoothing=0.2)) is Verdict.PASS


def test_sigmoid_twice_and_once():
    zeros_and_ones = (IDS[:, None] > 1).float()
    model = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid())
    assert judged(model, zeros_and_ones, nn.BCEWithLogitsLoss(), "binary") is Verdict.FAIL
    assert judged(model, zeros_and_ones, nn.BCELoss(), "binary") is Verdict.PASS


def test_numbers_on_which_the_loss_is_nan():
    assert judged(nn.Linear(6, 1), Y, lambda o, t: (o - t).mean() * float("nan"), "regression") is Verdict.SKIP
