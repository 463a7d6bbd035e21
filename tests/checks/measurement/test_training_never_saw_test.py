import pytest
import torch
from torch import Tensor

from diagkit.checks.measurement.training_never_saw_test import training_never_saw_test
from diagkit.evidence.measurement import Overlap
from diagkit.probes.overlap import overlap
from diagkit.subject import NotGiven


def batches(x: Tensor) -> list[tuple[Tensor, Tensor]]:
    return [(part, torch.zeros(len(part))) for part in x.split(16)]


def test_validation_rows_in_training_are_found() -> None:
    x, other = torch.randn(64, 5), torch.randn(20, 5)
    finding = training_never_saw_test(overlap(batches(x), val=batches(x[:10]), test=batches(other)))
    assert finding.faults == ("contaminated_test",)
    assert finding.text.startswith("val inputs")


def test_doubles_within_training_are_no_contamination() -> None:
    x = torch.randn(64, 5)
    assert training_never_saw_test(overlap(batches(torch.cat([x, x])), test=batches(torch.randn(20, 5))))


def test_few_values_meet_by_chance() -> None:
    x = torch.randint(2, (400, 3)).float()
    assert training_never_saw_test(overlap(batches(x), test=batches(torch.randint(2, (100, 3)).float())))


def test_doubled_rows_of_real_numbers_are_not_chance() -> None:
    x = torch.randn(200, 5)
    assert not training_never_saw_test(overlap(batches(torch.cat([x, x])), test=batches(x[:50])))


def test_bags_of_ids_have_no_rows() -> None:
    bags = [((torch.arange(10), torch.tensor([0, 4])), torch.zeros(2))]
    with pytest.raises(NotGiven, match="one row per example"):
        overlap(bags, test=bags)


def test_an_empty_test_set_passes() -> None:
    assert training_never_saw_test(Overlap(0, 0.0, 0.0))
