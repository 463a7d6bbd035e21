"""`data/inputs_have_a_usable_scale`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn

from diagkit.checks.data.inputs_have_a_usable_scale import inputs_have_a_usable_scale
from diagkit.evidence.data import InputScale
from diagkit.probes.input_scale import input_scale
from diagkit.subject import NotGiven


def judged(model: nn.Module, x: torch.Tensor, **more: object) -> object:
    batches = [(x, torch.randn(len(x), 1))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return inputs_have_a_usable_scale(input_scale(model, batches, nn.MSELoss(), optimizer, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1.0, 16.0, 50.0])
def test_pixels_counts_and_the_threshold_itself_pass(size: float) -> None:
    assert inputs_have_a_usable_scale(InputScale(size, 1.0, size, False))


def test_nan_fails() -> None:
    assert not inputs_have_a_usable_scale(InputScale(float("nan"), 1.0, 1.0, False))


def test_one_raw_feature_is_found_and_a_first_normalization_is_enough() -> None:
    x = torch.randn(64, 4) * torch.tensor([1.0, 1.0, 3600.0, 1.0])
    assert not judged(nn.Linear(4, 1), x)
    assert judged(nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 1)), x)
    assert judged(nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1)), x)


def test_inputs_a_thousand_times_too_small_are_found() -> None:
    assert not judged(nn.Linear(4, 1), torch.randn(64, 4) / 1000)


def test_a_train_step_that_scales_the_batch_is_healthy() -> None:
    def step(model: nn.Module, batch: object, loss_fn: object, optimizer: object) -> float:
        return float(model(batch[0] / 255).sum())  # type: ignore[index]

    assert judged(nn.Linear(4, 1), torch.rand(64, 4) * 255, train_step=step)


def test_ids_have_no_scale_and_buffers_stay_as_they_were() -> None:
    with pytest.raises(NotGiven):
        judged(nn.Embedding(9, 2), torch.randint(0, 9, (64, 4)))
    model = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 1)).eval()
    judged(model, torch.randn(64, 4) + 7)
    assert not model.training
    assert float(model[0].running_mean.abs().max()) == 0  # type: ignore[operator]
