"""`data/equal_inputs_have_equal_labels`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.equal_inputs_have_equal_labels import equal_inputs_have_equal_labels
from diagkit.finding import Verdict
from diagkit.probes.equal_inputs import equal_inputs


def test_copies_under_another_label_are_found() -> None:
    x, y = torch.randn(200, 6), torch.arange(200) % 4
    twice = torch.cat([x, x[:50]]), torch.cat([y, 3 - y[:50]])
    assert equal_inputs_have_equal_labels(equal_inputs([twice], "classification")).faults == ("overlapping_classes",)


def test_oversampling_is_healthy() -> None:
    x, y = torch.randn(200, 6), torch.arange(200) % 4
    rows = torch.randint(0, 200, (300,))
    assert equal_inputs_have_equal_labels(equal_inputs([(x[rows], y[rows])], "classification"))


def test_inputs_of_few_bits_and_values_are_not_judged() -> None:
    bits, y = torch.randint(0, 2, (300, 4)).float(), torch.randint(0, 2, (300,))
    assert equal_inputs_have_equal_labels(equal_inputs([(bits, y)], "classification")).verdict is Verdict.SKIP
    assert equal_inputs_have_equal_labels(equal_inputs([(bits, y.float())], "regression")).verdict is Verdict.SKIP
