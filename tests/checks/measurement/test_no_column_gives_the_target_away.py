import pytest
import torch
from torch import Tensor

from diagkit.checks.measurement.no_column_gives_the_target_away import no_column_gives_the_target_away
from diagkit.probes.column_skill import column_skill
from diagkit.subject import NotGiven


def table() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(300, 5, generator=generator)
    return x, x[:, 0] + x[:, 1] + torch.randn(300, generator=generator)


def test_a_column_made_from_the_target_is_named() -> None:
    x, y = table()
    found = column_skill([(torch.cat([x, 3 * y[:, None] + 1], 1), y)], "regression")
    assert found.column == 5
    assert no_column_gives_the_target_away(found).faults == ("target_leakage",)


def test_honest_columns_pass() -> None:
    assert no_column_gives_the_target_away(column_skill([table()], "regression"))


def test_a_smooth_series_gives_nothing_away() -> None:
    t = torch.linspace(0, 60, 600).sin() + torch.linspace(0, 1, 600)
    cut = t.unfold(0, 9, 1)
    assert no_column_gives_the_target_away(column_skill([(cut[:, :8], cut[:, 8])], "regression"))


def test_one_target_per_row_is_needed() -> None:
    with pytest.raises(NotGiven):
        column_skill([(torch.randn(60, 4), torch.randn(60, 2))], "regression")
