"""`data/inputs_are_finite`: edge cases, and its probe on small live objects."""

import torch
from torch import nn

from diagkit.checks.data.inputs_are_finite import inputs_are_finite
from diagkit.evidence.data import NonfiniteExamples
from diagkit.probes.nonfinite_examples import nonfinite_examples


def test_no_examples_and_nothing_strange_pass() -> None:
    assert inputs_are_finite(NonfiniteExamples(0, {}))


def test_one_nan_is_found_where_the_loss_does_not_survive_it() -> None:
    x, y = torch.randn(20, 3), torch.randn(20, 1)
    x[4, 1] = float("nan")
    found = inputs_are_finite(nonfinite_examples(nn.Linear(3, 1), [(x, y)], nn.MSELoss()))
    assert found.faults == ("nonfinite_inputs",)
    assert found.direct


def test_a_loss_that_leaves_missing_targets_out_is_healthy() -> None:
    x, y = torch.randn(20, 3), torch.randn(20, 1)
    y[4] = float("nan")
    masked = nonfinite_examples(nn.Linear(3, 1), [(x, y)], lambda out, want: (out - want).nan_to_num().square().mean())
    assert inputs_are_finite(masked)


def test_a_mask_of_zeros_and_minus_infinity_is_healthy() -> None:
    mask = torch.zeros(20, 3).masked_fill(torch.rand(20, 3) > 0.5, float("-inf"))
    assert not nonfinite_examples(nn.Linear(3, 1), [(mask, torch.randn(20, 1))], nn.MSELoss()).shares
