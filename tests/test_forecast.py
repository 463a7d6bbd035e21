"""Forecast: the recording, its windows, and where the parts meet."""

from typing import Any

import numpy as np
import pytest
import torch

from diagkit.checks.measurement.preprocessing_knows_no_later_row import preprocessing_knows_no_later_row
from diagkit.checks.measurement.windows_stay_apart import windows_stay_apart
from diagkit.examples import Batches, Splits
from diagkit.mistake import Mistake
from diagkit.probes.leak_tracer import leak_tracer
from diagkit.probes.window_overlap import window_overlap
from diagkit.score import METRICS
from diagkit.tasks import forecast

SETTINGS = {
    "window": 32,
    "horizon": 16,
    "train_size": 7000,
    "val_size": 1600,
    "test_size": 1600,
    "split": "time",
    "scaled_by": "train",
    "normalize": True,
    "seed": 0,
}


def load(**changed: Any) -> Splits:
    return forecast.load(**{**SETTINGS, **changed})


def test_the_recording_is_that_of_a_neuron_in_millivolts() -> None:
    series = forecast.recording()
    assert series.shape == (11_000, 1)
    assert -70 < series.min() < -60 and 0 < series.max() < 10


def test_no_value_lies_in_two_parts() -> None:
    series = np.arange(11_000.0)[:, None]
    mean, spread = forecast.scale(series, None)
    inputs, targets = (part * spread + mean for part in forecast.pipeline(series, window=32, horizon=16, known=None))
    ends = np.round([inputs[0, 0], inputs[0, -1], targets[0, 0], targets[-1, -1]])
    assert ends.tolist() == [0, 31, 32, 10_999]
    splits = load()
    mean, spread = forecast.scale(forecast.recording(), None)
    scaled = np.concatenate(forecast.pipeline(forecast.recording(), window=32, horizon=16, known=None), 1)
    stretches = torch.tensor(scaled * spread + mean)
    mean, spread = splits.scale
    starts = []
    for part in (splits.train, splits.val, splits.test):
        raw = torch.cat([part.inputs, part.targets], 1).double() * spread + mean
        starts.append([int((stretches - row).abs().sum(1).argmin()) for row in raw[:: len(raw) // 40]])
    assert max(starts[0]) + 48 <= min(starts[1]) and max(starts[1]) + 48 <= min(starts[2])


def test_a_smaller_training_set_changes_nothing_else() -> None:
    small, full = load(train_size=60), load()
    assert torch.equal(small.train.inputs, full.train.inputs[:60])
    assert torch.equal(small.val.inputs, full.val.inputs) and torch.equal(small.test.targets, full.test.targets)
    assert small.scale == full.scale


@pytest.mark.parametrize(("scaled_by", "healthy"), [("train", True), ("all", False)])
def test_the_leak_tracer_knows_what_the_scale_was_taken_from(scaled_by: str, healthy: bool) -> None:
    assert bool(preprocessing_knows_no_later_row(leak_tracer(load(scaled_by=scaled_by).pipeline))) == healthy


@pytest.mark.parametrize(("split", "healthy"), [("time", True), ("random", False)])
def test_windows_drawn_at_random_are_found(split: str, healthy: bool) -> None:
    splits = load(split=split)
    train, val = Batches(splits.train.first(320), 64), Batches(splits.val.first(200), 64)
    assert bool(windows_stay_apart(window_overlap(train, val))) == healthy


def test_the_training_part_is_standardized_unless_told_otherwise() -> None:
    assert abs(load().train.inputs.mean()) < 0.1
    raw, scaled = load(normalize=False), load()
    assert raw.train.inputs.mean() < -30_000
    assert torch.equal(raw.train.targets, scaled.train.targets)


def test_the_last_value_has_no_skill() -> None:
    splits = load()

    def last(windows: torch.Tensor) -> torch.Tensor:
        return windows[:, -1:].repeat(1, 16)

    model: Any = last
    score = forecast.skill(model, splits.test.first(50), splits)
    assert score.value == pytest.approx(0)
    assert METRICS["skill"](np.array([1.0, 8.0]), 2) == 0.875
    assert score.inputs[0].startswith("example 0: -") and score.truths[0].endswith(" mV")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"train_size": 9000}, "at most 7659 beside 1600"),
        ({"split": "tiem"}, "data.split=tiem is none of time, random: .*time"),
        ({"scaled_by": "test"}, "data.scaled_by=test"),
    ],
)
def test_a_setting_that_cannot_be_is_named(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        load(**changed)
