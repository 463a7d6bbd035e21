"""Forecast: a neuron's membrane potential, a small perceptron on windows of it, skill over the last value.

The recording comes with matplotlib, which drew its first logo from it: 6 s of one neuron in millivolts, 2,000 values a
second. From 0.5 s to 5.5 s it is stimulated and fires, at first like a clock and then with pauses. Matplotlib's other
recording, `eeg.dat`, was standardized over its whole length before it was published, so it has no raw units, and
nothing can be scaled by a training part of it any more.
"""

from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from diagkit.examples import Examples, Splits
from diagkit.mistake import Mistake, nearest
from diagkit.score import Score

MICROVOLTS = 1000.0  # of a millivolt
MILLIVOLTS = 100.0  # of one unit of the file: matplotlib's page on its logo takes tenths of a volt
STIMULUS_ENDS = 11_000  # values from the start; what follows is the silence after it
EVERY, SHOWN = 4, 4  # a reader is shown every so many-th value, and so many of them

Series = NDArray[np.float64]


def recording() -> Series:
    """Return `(values, 1)`, millivolts at 2 kHz, until the stimulus ends."""
    from matplotlib import cbook

    file: Any = cbook.get_sample_data("membrane.dat", asfileobj=False)
    values = np.fromfile(file, dtype=np.float32).astype(np.float64)
    return MILLIVOLTS * values[:STIMULUS_ENDS, None]


def pipeline(
    series: Series, targets: None = None, *, window: int, horizon: int, known: int | None
) -> tuple[Series, Series]:
    """Scale a series and cut it into every window that there is, with what follows each.

    Args:
        series: `(values, 1)`, raw.
        targets: none are given; they come from the series.
        window: values that a forecast may see.
        horizon: values to forecast.
        known: the mean and spread are those of so many first values; None takes them all.

    Returns:
        Windows `(windows, window)` and targets `(windows, horizon)`, in order of time.
    """
    mean, spread = scale(series, known)
    stretches = np.lib.stride_tricks.sliding_window_view((series[:, 0] - mean) / spread, window + horizon)
    return stretches[:, :window], stretches[:, window:]


def scale(series: Series, known: int | None) -> tuple[float, float]:
    """Return the mean and the spread of the first `known` values, of all for None."""
    return float(series[:known].mean()), float(series[:known].std())


def load(
    window: int,
    horizon: int,
    train_size: int,
    val_size: int,
    test_size: int,
    split: str,
    scaled_by: str,
    normalize: bool,
    seed: int,
) -> Splits:
    """Cut the recording into windows, the last ones for the test, those before for validation, the first for training.

    Windows that would share a value with another part are left out between the parts. Another training size leaves
    scale and the other parts alone.

    Args:
        split: `time`, or `random`, which draws windows of any time into any part.
        scaled_by: `train`, the mean and spread of the values before validation begins, or `all`.
        normalize: whether to scale the windows; they are in microvolts otherwise, and the targets scaled as ever.
        seed: draws the order of the windows in each part, so that its first ones are a fair sample of it.

    Returns:
        Splits with inputs `(examples, window)` and targets `(examples, horizon)`.

    Raises:
        Mistake: more windows are asked for than there are, or an unknown choice.
    """
    _known_choice("data.split", split, ("time", "random"))
    _known_choice("data.scaled_by", scaled_by, ("train", "all"))
    series = recording()
    gap = window + horizon - 1
    count = len(series) - gap
    room = count - val_size - test_size - 2 * gap
    if room < train_size:
        raise Mistake(
            f"data.train_size must be at most {room} beside {val_size} + {test_size} of {count} windows "
            f"with two gaps of {gap}, got {train_size}"
        )
    ends = room + gap  # the first value after the last training window
    known = ends if scaled_by == "train" else None
    prepare = partial(pipeline, window=window, horizon=horizon, known=known)
    inputs, targets = prepare(series)
    mean, spread = scale(series, known)
    entering = (0.0, 1.0) if normalize else (MICROVOLTS * mean, MICROVOLTS * spread)
    generator = np.random.default_rng(seed)
    rows = generator.permutation(count) if split == "random" else np.arange(count)
    train, val, test = rows[:room], rows[room + gap :][:val_size], rows[count - test_size :]

    def part(rows: NDArray[np.int64], size: int) -> Examples:
        drawn = generator.permutation(rows)[:size]
        return Examples(_tensor(inputs[drawn] * entering[1] + entering[0]), _tensor(targets[drawn]))

    return Splits(
        part(train, train_size),
        part(val, val_size),
        part(test, test_size),
        pipeline=(prepare, series, None, ends),
        scale=(mean, spread),
        input_scale=entering,
    )


def _tensor(values: Series) -> Tensor:
    return torch.tensor(values, dtype=torch.float32)


def _known_choice(setting: str, choice: str, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        raise Mistake(f"{setting}={choice} is none of {', '.join(choices)}: {nearest(choice, choices)}")


class ForecastNet(nn.Module):
    """Two linear layers as `encoder`, two as `head`."""

    def __init__(self, window: int, horizon: int, width: int, dropout: float) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(window, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(dropout), nn.Linear(width, horizon))

    def forward(self, windows: Tensor) -> Tensor:
        """Return forecasts `(batch, horizon)` for windows `(batch, window)`."""
        forecasts: Tensor = self.head(self.encoder(windows))
        return forecasts


def network(splits: Splits, width: int, dropout: float) -> ForecastNet:
    """Build the network for the windows of `splits`."""
    return ForecastNet(splits.train.inputs.shape[1], splits.train.targets.shape[1], width, dropout)


def squared_error(forecasts: Tensor, targets: Tensor) -> Tensor:
    """Return the mean squared error, in squared spreads of the series."""
    return F.mse_loss(forecasts, targets)


@torch.no_grad()
def skill(model: nn.Module, examples: Examples, splits: Splits) -> Score:
    """Forecast all examples, and compare with the forecast that every value to come is the last one.

    Windows overlap, so the examples are fewer than they look: an interval over them is too narrow. Trust seeds.

    Returns:
        The share of that forecast's squared error which the model avoids; millivolts for the reader.
    """
    zero, one = splits.input_scale
    windows, truths = (examples.inputs.double() - zero) / one, examples.targets.double()
    forecasts = model(examples.inputs).double()
    errors = torch.stack([(guess - truths).square().mean(1) for guess in (forecasts, windows[:, -1:])], 1)
    mean, spread = splits.scale
    figures = (spread * errors.mean(0).sqrt()).tolist()
    seen, made, true = (_texts(values * spread + mean) for values in (windows, forecasts, truths))
    return Score(
        "skill",
        errors.tolist(),
        made,
        extra=dict(zip(("error_mv", "last_value_error_mv"), figures, strict=True)),
        inputs=[f"example {row}: {text}" for row, text in enumerate(seen)],
        truths=true,
    )


def _texts(millivolts: Tensor) -> list[str]:
    """Return some values of each row, 2 ms apart and the last one among them, in whole millivolts."""
    some = millivolts.flip(1)[:, ::EVERY][:, :SHOWN].flip(1)
    return [" ".join(f"{value:.0f}" for value in row) + " mV" for row in some.tolist()]
