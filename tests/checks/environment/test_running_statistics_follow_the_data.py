import math

import pytest
import torch
from torch import nn

from diagkit.checks.environment.running_statistics_follow_the_data import running_statistics_follow_the_data
from diagkit.evidence.environment import NormalizationStatistics
from diagkit.probes.normalization_statistics import normalization_statistics
from diagkit.subject import NotGiven


def norm_net() -> tuple[nn.Sequential, list[tuple[torch.Tensor, torch.Tensor]]]:
    torch.manual_seed(0)
    norm = nn.BatchNorm1d(4)
    model = nn.Sequential(norm, nn.Linear(4, 1))
    x = 5 + 3 * torch.randn(64, 4)
    with torch.no_grad():
        y = model.train()(x)
    norm.reset_running_stats()
    return model, [(x, y)]


def test_statistics_at_their_start_are_stale_and_true_ones_are_not() -> None:
    model, train = norm_net()
    stale = running_statistics_follow_the_data(normalization_statistics(model, model, train, nn.MSELoss()))
    assert stale.faults == ("stale_normalization",)
    model.get_buffer("0.running_mean").copy_(train[0][0].mean(0))
    model.get_buffer("0.running_var").copy_(train[0][0].var(0))
    assert running_statistics_follow_the_data(normalization_statistics(model, model, train, nn.MSELoss()))


def test_the_probe_leaves_the_statistics() -> None:
    model, train = norm_net()
    normalization_statistics(model, model, train, nn.MSELoss())
    assert bool((model.get_buffer("0.running_mean") == 0).all())


def test_a_model_without_statistics_is_not_asked() -> None:
    model = nn.Linear(4, 1)
    with pytest.raises(NotGiven):
        normalization_statistics(model, model, norm_net()[1], nn.MSELoss())


def test_nan_is_skipped() -> None:
    found = running_statistics_follow_the_data(NormalizationStatistics(["n"], [1.0], [1.0], math.nan, 0.1, 2.3))
    assert str(found).startswith("SKIP")
