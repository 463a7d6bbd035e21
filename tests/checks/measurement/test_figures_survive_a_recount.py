import math
from typing import Any

import pytest
import torch
from torch import nn

from diagkit.checks.measurement.figures_survive_a_recount import figures_survive_a_recount
from diagkit.evidence.measurement import Recount
from diagkit.probes.recount import recount
from diagkit.subject import NotGiven


def test_set() -> list[Any]:
    torch.manual_seed(0)
    x = torch.randn(36, 4)
    y = (x[:, 0] > 0).long()
    y[32:] = 1 - y[32:]
    return [(x[:32], y[:32]), (x[32:], y[32:])]


def reader() -> nn.Linear:
    model = nn.Linear(4, 2, bias=False)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[-1.0, 0, 0, 0], [1.0, 0, 0, 0]]))
    return model


def mean_of_means(model: nn.Module, batches: Any) -> dict[str, float]:
    shares = [float((model(x).argmax(1) == y).float().mean()) for x, y in batches]
    return {"accuracy": sum(shares) / len(shares)}


def share_of_hits(model: nn.Module, batches: Any) -> dict[str, float]:
    hits = [(model(x).argmax(1) == y) for x, y in batches]
    return {"accuracy": float(torch.cat(hits).double().mean())}


def test_a_mean_of_means_fails_and_a_share_passes() -> None:
    broken = figures_survive_a_recount(recount(reader(), mean_of_means, test=test_set()))
    assert broken.faults == ("metric_aggregation",)
    assert figures_survive_a_recount(recount(reader(), share_of_hits, test=test_set()))


def test_outputs_that_depend_on_the_batch_are_another_fault() -> None:
    model = nn.Sequential(nn.BatchNorm1d(4, track_running_stats=False), reader())
    with pytest.raises(NotGiven, match="other examples"):
        recount(model, share_of_hits, test=test_set())


def test_figures_that_are_drawn_are_another_fault() -> None:
    def drawn(model: nn.Module, batches: Any) -> dict[str, float]:
        return share_of_hits(model, batches) | {"sampled": float(torch.rand(()))}

    with pytest.raises(NotGiven, match="sampled is another one"):
        recount(reader(), drawn, test=test_set())


def test_nan_and_no_figure_are_skipped() -> None:
    assert str(figures_survive_a_recount(Recount(["loss"], [math.nan], [1.0], [math.nan]))).startswith("SKIP")
    assert str(figures_survive_a_recount(Recount([], [], [], []))).startswith("SKIP")


test_set.__test__ = False  # type: ignore[attr-defined]
