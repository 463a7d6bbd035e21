"""`data/batches_mix_the_targets`: edge cases, and its probe on small live objects."""

import pytest
import torch

from diagkit.checks.data.batches_mix_the_targets import batches_mix_the_targets
from diagkit.evidence.data import Order
from diagkit.finding import Finding
from diagkit.probes.order import order
from diagkit.subject import NotGiven


def judged(y: torch.Tensor, task: str) -> Finding:
    return batches_mix_the_targets(order([(torch.randn(len(part), 2), part) for part in y.split(25)], task))


def test_sorted_targets_are_found() -> None:
    assert judged((torch.arange(500) // 100), "classification").faults == ("unshuffled_training",)
    assert judged(torch.linspace(-1, 1, 500), "regression").faults == ("unshuffled_training",)


def test_a_fixed_mixed_order_and_one_constant_target_pass() -> None:
    assert judged(torch.arange(500) % 5, "classification")
    assert judged(torch.zeros(500), "regression")


def test_a_label_that_is_never_read_is_a_symptom() -> None:
    finding = batches_mix_the_targets(Order(40, 4000, 0.0, 3))
    assert finding.faults == ("unshuffled_training",)
    assert not finding.direct


def test_one_batch_is_not_compared() -> None:
    with pytest.raises(NotGiven):
        order([(torch.randn(500, 2), torch.arange(500) % 5)], "classification")
