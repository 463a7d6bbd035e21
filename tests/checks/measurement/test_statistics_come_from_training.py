import pytest
import torch
from torch import Tensor

from diagkit.checks.measurement.statistics_come_from_training import statistics_come_from_training
from diagkit.probes.split_statistics import split_statistics
from diagkit.subject import NotGiven


def scaled_by(rows: slice) -> list[list[tuple[Tensor, Tensor]]]:
    x = 3 + 2 * torch.randn(300, 4, generator=torch.Generator().manual_seed(0))
    x = (x - x[rows].mean(0)) / x[rows].std(0)
    return [[(part, torch.zeros(len(part)))] for part in x.split([200, 50, 50])]


def test_a_scaler_that_saw_all_rows_is_found() -> None:
    train, val, test = scaled_by(slice(None))
    finding = statistics_come_from_training(split_statistics(train, val, test))
    assert finding.faults == ("preprocessing_leak",)
    assert finding.text.startswith("train + val + test")


def test_a_scaler_that_saw_training_rows_passes() -> None:
    train, val, test = scaled_by(slice(0, 200))
    assert statistics_come_from_training(split_statistics(train, val, test))


def test_a_split_without_all_its_rows_is_not_judged() -> None:
    train = [(torch.randn(4000, 2), torch.zeros(4000))]
    with pytest.raises(NotGiven):
        split_statistics(train, test=[(torch.randn(50, 2), torch.zeros(50))])
