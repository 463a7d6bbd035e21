"""Losses that were made for something else."""

import torch
from torch import nn
from torch.nn import functional as F

from diagkit.checks.wrong_thing.loss_fits_the_targets import loss_fits_the_targets
from diagkit.finding import Verdict
from diagkit.probes.loss_form import loss_form
from diagkit.probes.output_form import output_form

X, IDS, Y = torch.randn(16, 6), torch.arange(16) % 4, torch.randn(16, 1)


def judged(model, targets, loss, task="classification"):
    train = [(X, targets)]
    return loss_fits_the_targets(output_form(model, train), loss_form(model, train, loss, task)).verdict


def test_scores_where_log_probabilities_are_expected():
    assert judged(nn.Linear(6, 4), IDS, F.nll_loss) is Verdict.FAIL
    assert judged(nn.Sequential(nn.Linear(6, 4), nn.Softmax(1)), IDS, F.nll_loss) is Verdict.FAIL


def test_class_numbers_as_quantities():
    assert judged(nn.Linear(6, 1), IDS[:, None].float(), F.mse_loss) is Verdict.FAIL
    assert judged(nn.Linear(6, 1), IDS[:, None].float(), F.mse_loss, "regression") is Verdict.PASS


def test_one_number_per_example():
    assert judged(nn.Linear(6, 4), IDS, nn.CrossEntropyLoss(reduction="none")) is Verdict.FAIL


def test_difference_without_a_square():
    assert judged(nn.Linear(6, 1), Y, lambda o, t: (o - t).mean(), "regression") is Verdict.FAIL


def test_common_losses_fit():
    assert judged(nn.Linear(6, 4), IDS, F.multi_margin_loss) is Verdict.PASS
    assert judged(nn.Linear(6, 1), Y, F.huber_loss, "regression") is Verdict.PASS
    assert judged(nn.Linear(6, 1), Y.abs().round(), F.poisson_nll_loss, "regression") is Verdict.PASS


def test_rates_taken_for_their_logarithms():
    rates, counts = nn.Sequential(nn.Linear(6, 1), nn.Softplus()), 7 * Y.abs().round()
    assert judged(rates, counts, nn.PoissonNLLLoss(), "regression") is Verdict.FAIL
    assert judged(rates, counts, nn.PoissonNLLLoss(log_input=False), "regression") is Verdict.PASS
    assert judged(nn.Linear(6, 1), counts, nn.PoissonNLLLoss(), "regression") is Verdict.PASS
    assert judged(rates, counts, F.mse_loss, "regression") is Verdict.PASS
