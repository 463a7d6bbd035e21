import pytest
import torch
from torch import Tensor

from diagkit.checks.measurement.windows_stay_apart import windows_stay_apart
from diagkit.probes.window_overlap import window_overlap
from diagkit.subject import NotGiven


def windows() -> list[tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(0)
    cut = torch.randn(300, generator=generator).unfold(0, 12, 1)
    return [(cut, torch.zeros(len(cut)))]


def some(rows: Tensor | slice) -> list[tuple[Tensor, Tensor]]:
    x, y = windows()[0]
    return [(x[rows], y[rows])]


def test_a_random_split_is_found() -> None:
    order = torch.randperm(289, generator=torch.Generator().manual_seed(1))
    assert windows_stay_apart(window_overlap(some(order[:200]), test=some(order[200:]))).faults == ("split_leak",)


def test_a_split_in_time_passes() -> None:
    assert windows_stay_apart(window_overlap(some(slice(0, 200)), test=some(slice(200, 289))))


def test_ids_are_no_windows() -> None:
    ids = [(torch.randint(9, (20, 12)), torch.zeros(20))]
    with pytest.raises(NotGiven):
        window_overlap(ids, test=ids)
