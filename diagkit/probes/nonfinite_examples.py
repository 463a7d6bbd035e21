"""Which examples hold NaN or infinity that the loss does not survive?

Values that are not finite are fine where the model or the loss handles them (missing values that are masked), so the
loss of such a batch decides.

Source: batch sanity, Slavv, 37 reasons why your neural network is not working (2017).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, pairs, tensors
from diagkit.evidence.data import NonfiniteExamples
from diagkit.guard import evaluating


def nonfinite_examples(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    val: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> NonfiniteExamples:
    """Return the share of examples with such values for every part of the data that has them."""
    shares: dict[str, float] = {}
    count = 0
    for part, batches in (("training", train), ("validation", val or [])):
        total, bad = 0, {"inputs": 0, "targets": 0}
        for inputs, targets in pairs(batches):
            marks = {"inputs": _marks(inputs), "targets": _marks(targets)}
            total += max(len(its) for its in marks.values())
            found = any(bool(its.any()) for its in marks.values())
            if found and not _survives(model, inputs, targets, loss_fn, predict):
                bad = {side: bad[side] + int(its.sum()) for side, its in marks.items()}
        shares |= {f"{part} {side}": number / total for side, number in bad.items() if number}
        count += total
    return NonfiniteExamples(count, shares)


def _marks(values: Any) -> Tensor:
    """Return `(rows,)`: True where a row holds NaN or infinity; a mask of only 0 and -inf is meant to."""
    marks = torch.zeros(1, dtype=torch.bool)
    for part in tensors(values):
        if not (part.is_floating_point() or part.is_complex()) or not part.dim() or part.layout != torch.strided:
            continue
        strange = ~torch.isfinite(part.detach()).reshape(len(part), -1).cpu()
        if strange.any() and not bool(((part == 0) | (part == float("-inf"))).all()):
            row = strange.any(1)
            marks = marks | row if len(marks) in (1, len(row)) else row
    return marks


def _survives(model: nn.Module, inputs: Any, targets: Any, loss_fn: Loss, predict: Predict | None) -> bool:
    try:
        with evaluating(model):
            return bool(torch.isfinite(loss_fn(call(model, inputs, predict), targets)).all())
    except Exception:  # it does not
        return False
