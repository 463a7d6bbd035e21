import pytest
import torch
from torch import Tensor

from diagkit.checks.measurement.held_out_rows_have_no_twins import held_out_rows_have_no_twins
from diagkit.probes.near_duplicates import near_duplicates
from diagkit.subject import NotGiven


def batch(x: Tensor) -> list[tuple[Tensor, Tensor]]:
    return [(x, torch.zeros(len(x)))]


def groups() -> Tensor:
    """200 observations, four noisy copies of each: `(observation, copy, column)`."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(200, 1, 6, generator=generator) + 0.01 * torch.randn(200, 4, 6, generator=generator)


def test_copies_on_both_sides_are_found() -> None:
    x = groups()
    finding = held_out_rows_have_no_twins(near_duplicates(batch(x[:, :3].flatten(0, 1)), test=batch(x[:, 3])))
    assert finding.faults == ("split_leak",)


def test_a_split_by_group_passes_although_training_has_twins() -> None:
    x = groups()
    found = near_duplicates(batch(x[:150].flatten(0, 1)), test=batch(x[150:].flatten(0, 1)))
    assert found.too_near_in_train > 0.9
    assert held_out_rows_have_no_twins(found)


def test_few_rows_are_not_asked() -> None:
    with pytest.raises(NotGiven):
        near_duplicates(batch(torch.randn(20, 3)), test=batch(torch.randn(20, 3)))
