"""`data/validation_is_prepared_like_training`: edge cases, and its probe on small live objects."""

import torch
from torch import nn

from diagkit.checks.data.validation_is_prepared_like_training import validation_is_prepared_like_training
from diagkit.evidence.data import SplitDifference
from diagkit.finding import Finding
from diagkit.probes.split_difference import split_difference


def judged(change: object) -> Finding:
    g = torch.Generator().manual_seed(0)
    model = nn.Linear(6, 1)
    x, other = torch.randn(300, 6, generator=g), torch.randn(200, 6, generator=g) + 0.3
    y, its = (model(part).detach() + 0.1 * torch.randn(len(part), 1, generator=g) for part in (x, other))
    val = [(change(other), its)]  # type: ignore[operator]
    return validation_is_prepared_like_training(split_difference(model, [(x, y)], val, nn.MSELoss(), "regression"))


def test_other_scales_and_orders_are_found() -> None:
    assert judged(lambda x: x * 6 + 5).faults == ("inconsistent_preprocessing",)
    assert judged(lambda x: x.flip(-1)).faults == ("inconsistent_preprocessing",)


def test_the_same_preparation_and_a_part_that_no_change_mends_pass() -> None:
    assert judged(lambda x: x)
    assert judged(lambda x: torch.randn_like(x))


def test_no_change_and_nan_scales_pass() -> None:
    nan = float("nan")
    assert validation_is_prepared_like_training(SplitDifference(nan, nan, 0.5, 0.5, {}))
    assert validation_is_prepared_like_training(SplitDifference(nan, nan, -2.0, -1.0, {"ids by +1": -1.1}))
