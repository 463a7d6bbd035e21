"""A softmax over the batch, over one output, over the classes."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.softmax_runs_over_classes import softmax_runs_over_classes
from diagkit.finding import Verdict
from diagkit.probes.loss_form import loss_form
from diagkit.probes.output_form import output_form

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(model, targets, loss, task="classification"):
    train = [(X, targets)]
    return softmax_runs_over_classes(output_form(model, train), loss_form(model, train, loss, task)).verdict


def test_over_the_batch():
    assert judged(nn.Sequential(nn.Linear(6, 4), nn.LogSoftmax(0)), IDS, F.nll_loss) is Verdict.FAIL


def test_over_a_single_output():
    model = nn.Sequential(nn.Linear(6, 1), nn.Softmax(1))
    assert judged(model, (IDS[:, None] > 1).float(), nn.BCELoss(), "binary") is Verdict.FAIL


def test_over_the_classes():
    assert judged(nn.Sequential(nn.Linear(6, 4), nn.LogSoftmax(1)), IDS, F.nll_loss) is Verdict.PASS
