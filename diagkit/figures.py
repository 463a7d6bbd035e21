"""Figures of a report, as SVG: readable on a white and on a dark page."""

import io
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
