"""Activations that stop before the targets."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.outputs_reach_the_targets import outputs_reach_the_targets
from diagkit.finding import Verdict
from diagkit.probes.loss_form import loss_form
from diagkit.probes.output_form import output_form

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(model, targets, loss, task="classification"):
    train = [(X, targets)]
    return outputs_reach_the_targets(output_form(model, train), loss_form(model, train, loss, task)).verdict


def test_relu_before_negative_numbers():
    assert judged(nn.Sequential(nn.Linear(6, 1), nn.ReLU()), Y, F.mse_loss, "regression") is Verdict.FAIL
    assert judged(nn.Sequential(nn.Linear(6, 1), nn.ReLU()), Y.abs(), F.mse_loss, "regression") is Verdict.PASS


def test_tanh_before_cross_entropy():
    assert judged(nn.Sequential(nn.Linear(6, 4), nn.Tanh()), IDS, F.cross_entropy) is Verdict.FAIL


def test_plain_scores():
    assert judged(nn.Linear(6, 4), IDS, F.cross_entropy) is Verdict.PASS
