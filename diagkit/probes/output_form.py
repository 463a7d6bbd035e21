"""What does the untrained model give, in which shape and within which limits, and what is it compared with?

Sources: Karpathy, A recipe for training neural networks (2019), "verify loss at init"; PyTorch documentation of
`CrossEntropyLoss` and `BCEWithLogitsLoss` (they expect unnormalized scores).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Predict, output, tensors
from diagkit.evidence.wrong_thing import OutputForm
from diagkit.guard import untouched
from diagkit.probes._activation import REACH, last_activation
from diagkit.probes._asking import affordable, class_axes, first_examples, outputs_of
from diagkit.subject import NotGiven

ROWS = 32
TOLERANCE = 2e-3  # of a sum of 1; half precision needs as much


def output_form(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> OutputForm:
    """Pass a few training examples through the model in eval mode and describe outputs and targets.

    Raises:
        NotGiven: the model gives no tensor of numbers, or targets are none.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if not tensors(targets):
        raise NotGiven("targets are no tensor")
    target = tensors(targets)[0]
    with untouched(model):
        model.eval()
        prediction = output(outputs_of(model, inputs, predict))
        activation = last_activation(prediction)
        prediction = prediction.detach().float()
    low, high = REACH.get(activation, (None, None))
    what = kind(target, prediction)
    summing = summing_axes(prediction)
    return OutputForm(
        output_shape=list(prediction.shape),
        target_shape=list(target.shape),
        targets=what,
        class_axes=axes_of_classes(prediction, target, what),
        activation=activation,
        low=low,
        high=high,
        summing_axes=summing,
        log_summing_axes=[] if summing else summing_axes(prediction.exp()),
        constant=prediction.numel() > 1 and bool((prediction == prediction.flatten()[0]).all()),
        beyond=_beyond(target, prediction, low, high),
    )


def kind(target: Tensor, prediction: Tensor) -> str:
    """Return what targets are: ids, zeros and ones, shares, numbers or other."""
    if target.is_complex() or target.numel() == 0:
        return "other"
    if class_axes(prediction, target):
        return "ids"
    values = target.double()
    if bool(((values == 0) | (values == 1)).all()):
        one_hot = values.dim() > 1 and values.shape[1] > 1 and bool((values.sum(1) == 1).all())
        return "shares" if one_hot else "zeros and ones"
    several = values.dim() > 1 and values.shape[1] > 1 and bool((values >= 0).all())
    if several and bool(((values.sum(1) - 1).abs() < TOLERANCE).all()):
        return "shares"
    return "numbers" if target.is_floating_point() else "other"


def axes_of_classes(prediction: Tensor, target: Tensor, what: str) -> list[int]:
    """Return the axes along which the classes can stand, for ids and for shares of one shape with the outputs."""
    if what == "shares":
        return [1] if prediction.shape == target.shape else []
    return class_axes(prediction, target) if what == "ids" else []


def summing_axes(prediction: Tensor) -> list[int]:
    """Return the axes of more than one element along which values are nonnegative and sum to 1."""
    if not bool((prediction >= 0).all()):
        return []
    sums = ((axis, prediction.sum(axis)) for axis, size in enumerate(prediction.shape) if size > 1)
    return [axis for axis, its in sums if bool(((its - 1).abs() < TOLERANCE).all())]


def _beyond(target: Tensor, prediction: Tensor, low: float | None, high: float | None) -> float:
    if target.shape != prediction.shape or not target.is_floating_point():
        return 0.0
    room = 1e-3 * float(target.std()) if target.numel() > 1 else 0.0
    outside = torch.zeros_like(target, dtype=torch.bool)
    outside |= (target < low - room) if low is not None else outside
    outside |= (target > high + room) if high is not None else outside
    return float(outside.float().mean())
