"""Figures of a report, as SVG: readable on a white and on a dark page."""

import io
import math
from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from diagkit.comparison import Comparison, Result

CONTROL, BROKEN = "#0072b2", "#d55e00"  # told apart by every reader: Okabe and Ito (2008)
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "diagkit",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
}
WIDE = 50.0  # between the largest and the smallest value, beyond which an axis is logarithmic
Values = Sequence[tuple[str, float, float]]
TICKS = 8  # of a logarithmic axis
SMOOTHING = 20  # points that a training curve is drawn through at most, each a mean


def loss_curves(comparison: Comparison) -> bytes:
    """Draw training and validation loss of every seed, control and broken run in one figure."""
    with rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.8))
        axes = figure.subplots()
        figure.subplots_adjust(left=0.09, right=0.98, bottom=0.13, top=0.86)  # a layout engine draws everything twice
        name = comparison.experiment.name
        alone = name == "control" or comparison.one_training
        for broken, control in comparison.pairs:
            _draw(axes, control, CONTROL, "both runs" if alone and name != "control" else "control")
            if not alone:
                _draw(axes, broken, BROKEN, name)
        axes.set(xlabel="optimizer step", ylabel="loss", ylim=(0, None))
        handles, labels = axes.get_legend_handles_labels()
        unique = dict(zip(labels, handles, strict=True))
        axes.legend(
            unique.values(),
            unique.keys(),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=2,
            frameon=False,
            fontsize=10,
        )
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def apart(healthy: Values, faulty: Values) -> bytes:
    """Draw what a check measured of healthy and of faulty programs, and its threshold.

    Where thresholds differ between programs, values are drawn in units of each one's own.

    Args:
        healthy, faulty: program, value and threshold.
    """
    limits = {limit for _, _, limit in (*healthy, *faulty)}
    own = len(limits) > 1
    with rc_context(STYLE):
        figure = Figure(figsize=(7.2, 2.0))
        axes = figure.subplots()
        figure.subplots_adjust(left=0.12, right=0.98, bottom=0.3, top=0.95)
        points = []
        for row, (its, color) in enumerate(((faulty, BROKEN), (healthy, CONTROL))):
            xs = [value / limit if own and limit else value for _, value, limit in its]
            ys = [row + 0.5 * ((7 * i) % 11 / 11 - 0.5) for i in range(len(xs))]  # spread, the same every time
            axes.plot(xs, ys, "o", color=color, alpha=0.45, markersize=4, markeredgewidth=0)
            points += xs
        line = 1.0 if own else next(iter(limits))
        axes.axvline(line, color="#555555", linestyle="--", linewidth=1.2)
        sizes = [abs(x) for x in (*points, line) if x]
        if sizes and max(sizes) / min(sizes) > WIDE:
            linear = min(abs(line) or min(sizes), max(sizes)) / 10
            axes.set_xscale("symlog", linthresh=linear)
            axes.set_xlim(left=None if min(points) < 0 else -linear / 2)
            axes.set_xticks(_decades(min(points), max(*points, line), linear), minor=False)
        axes.set(yticks=[0, 1], yticklabels=["faulty", "healthy"], ylim=(-0.6, 1.6))
        axes.set_xlabel("measured / threshold" if own else "measured")
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def _decades(low: float, high: float, linear: float) -> list[float]:
    """Return 0 and some powers of ten beyond `linear` up to `high`, and down to `low`, far enough apart to be read."""
    first, last = math.ceil(math.log10(linear)), math.floor(math.log10(max(high, -low, linear)))
    exponents = range(first, last + 1, max(1, math.ceil((last + 1 - first) / (TICKS if low >= 0 else TICKS / 2))))
    powers = [10.0**exponent for exponent in exponents]
    return [*(-power for power in powers if power <= -low), 0.0, *(power for power in powers if power <= high)]


def _draw(axes: Axes, its: Result, color: str, name: str) -> None:
    history = its.history
    steps, losses = _means(history.losses)
    axes.plot(steps, losses, color=color, alpha=0.6, linewidth=1.3, linestyle="--", label=f"{name}, training")
    axes.plot(
        history.val_steps,
        history.val_losses,
        color=color,
        linewidth=2,
        marker="o",
        markersize=4,
        label=f"{name}, validation",
    )


def _means(losses: Sequence[float]) -> tuple[list[float], list[float]]:
    width = max(1, len(losses) // SMOOTHING)
    parts = [losses[start : start + width] for start in range(0, len(losses), width)]
    ends = [min(start + width, len(losses)) for start in range(0, len(losses), width)]
    return [float(end) for end in ends], [sum(part) / len(part) for part in parts]
