"""Which positions does the loss ask about, and with which target is each output compared?

The gradient of the loss with respect to the outputs says it, whatever the loss is called: none where a position is
ignored, and lowest at the class that is wanted.

Source: input dependency by gradient, Karpathy's recipe (2019), turned to the loss.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Loss, Predict, output, tensors
from diagkit.evidence.wrong_thing import AskedPositions
from diagkit.guard import evaluating
from diagkit.probes._asking import affordable, class_axes, first_examples, outputs_of
from diagkit.probes._positions import best_shift, compared_ids, padding, place_in_inputs, runs_at_the_end
from diagkit.subject import NotGiven

ROWS = 64


def asked_positions(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    task: str,
    val: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> AskedPositions:
    """Take the gradient of the loss with respect to the outputs of a few training examples.

    Raises:
        NotGiven: targets are not class ids.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if len(tensors(targets)) != 1:
        raise NotGiven("targets are not one tensor of class ids")
    target = tensors(targets)[0]
    with evaluating(model):
        outputs = outputs_of(model, inputs, predict)
        prediction = output(outputs).detach()
        axes = class_axes(prediction, target)
        if not axes or len(target) < 2:
            raise NotGiven("targets are not class ids of these outputs")
        wanted, asked = compared_ids(loss_fn, outputs, prediction, targets, axes[-1])
    wanted, asked = wanted.reshape(target.shape), asked.reshape(target.shape)
    place = place_in_inputs(inputs, target)
    axis = place[2] if place else 1
    return AskedPositions(
        classes=prediction.shape[axes[-1]],
        positions=target.numel(),
        task=task,
        shares={str(int(v)): float((target == v).float().mean()) for v in target.unique()},
        asked={str(int(v)): float(asked[target == v].float().mean()) for v in target.unique()},
        inside=_inside(target, asked),
        place=place[1] if place else None,
        prompt=bool(place and place[0] > 0),
        loss_shift=best_shift(wanted, asked, target, axis) if target.dim() == 2 else 0,
        val_place=_place(val),
        silent_end=_silent_end(target, asked) if target.dim() == 2 and axis == 1 else 0,
        **_ends(inputs, target, asked),
    )


def _place(batches: Iterable[Any] | None) -> int | None:
    try:
        inputs, targets = first_examples(batches or [], ROWS)
    except NotGiven:
        return None
    place = place_in_inputs(inputs, tensors(targets)[0]) if tensors(targets) else None
    return place[1] if place else None


def _inside(target: Tensor, asked: Tensor) -> list[str]:
    """Return the ids that stand between positions that are asked about; for one target per example all ids."""
    if target.dim() < 2:
        return [str(int(v)) for v in target.unique()]
    flat, its = target.flatten(1), asked.flatten(1).long()
    between = (its.cumsum(1) > 0) & (its.flip(1).cumsum(1).flip(1) > 0)
    return [str(int(v)) for v in flat[between].unique()]


def _silent_end(target: Tensor, asked: Tensor) -> int:
    """Count the last columns without any gradient whose ids are asked about elsewhere and are not all the same."""
    known = target[asked].unique()
    count = 0
    for column in range(target.shape[1] - 1, 0, -1):
        ids = target[:, column]
        if bool(asked[:, column].any()) or len(ids.unique()) < 2 or not bool(torch.isin(ids, known).all()):
            break
        count += 1
    return count if bool(asked.any()) else 0


def _ends(inputs: Inputs, target: Tensor, asked: Tensor) -> dict[str, Any]:
    value = padding(target)
    if value is None:
        return {}
    lengths = runs_at_the_end(target.tolist(), value)
    last = {int(row[-1 - run]) for row, run in zip(target, lengths, strict=True) if 0 < run < len(row)}
    return {
        "padding": str(value),
        "padded_inputs": _padded(inputs, target == value),
        "shortest_end": min(lengths),
        "common_end": len(last) == 1,
    }


def _padded(inputs: Inputs, blank: Tensor) -> bool:
    """Return whether an input is one value where targets are padding, but for the first of each row, and only there."""
    later = blank & blank.roll(1, 1)
    later[:, 0] = False
    if not bool(later.any()) or bool(blank.all()):
        return False
    for part in tensors(inputs):
        if part.shape[:2] != blank.shape:
            continue
        values = part.flatten(2) if part.dim() > 2 else part[..., None]
        fill = values[later][0]
        if bool((values[later] == fill).all()) and not bool((values[~blank] == fill).all(-1).any()):
            return True
    return False
