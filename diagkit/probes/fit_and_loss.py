"""Do the outputs follow the targets where the loss falls?

Measured without the loss: share of right answers for classes, order for two, error for numbers.
"""

import copy
import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, output, split
from diagkit.evidence.learning import FitAndLoss
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

DEEP = True
BATCHES = 30


def fit_and_loss(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    predict: Predict | None = None,
) -> FitAndLoss:
    """Compare loss and fit of both models on the first batches.

    Raises:
        NotGiven: outputs and targets have no common form.
    """
    batches = [split(batch) for batch in islice(train, BATCHES)]
    loss_before, outputs_before, targets = _run(model, batches, loss_fn, predict)
    loss_after, outputs_after, _ = _run(trained_model, batches, loss_fn, predict)
    kind, before, chance = _fit(outputs_before, targets)
    _, after, _ = _fit(outputs_after, targets)
    correlation = _correlation(outputs_after, targets) if kind == "error" else math.nan
    return FitAndLoss(len(targets), kind, loss_before, loss_after, before, after, chance, correlation)


def _run(model: nn.Module, batches: list[Any], loss_fn: Loss, predict: Predict | None) -> tuple[float, Tensor, Tensor]:
    losses, outputs, wanted = [], [], []
    with evaluating(model):
        for inputs, targets in batches:
            made = call(model, inputs, predict)
            losses.append(float(loss_fn(made, copy.deepcopy(targets))))
            if not isinstance(targets, Tensor):
                raise NotGiven("the targets are no tensor")
            outputs.append(output(made).detach().float())
            wanted.append(targets)
    try:
        return sum(losses) / len(losses), torch.cat(outputs), torch.cat(wanted)
    except RuntimeError as error:
        raise NotGiven("outputs or targets differ in shape from batch to batch") from error


def _fit(outputs: Tensor, targets: Tensor) -> tuple[str, float, float]:
    """Return what is measured, its value, the higher the better, and what chance gives."""
    if is_ids(targets) and outputs.dim() == targets.dim() + 1:
        axis = 1 if targets.dim() == 1 or outputs.shape[1] not in targets.shape[1:2] else outputs.dim() - 1
        guesses = outputs.argmax(axis)
        if guesses.shape == targets.shape:
            return "accuracy", float((guesses == targets).float().mean()), 1 / outputs.shape[axis]
    if targets.numel() == outputs.numel():
        flat, wanted = outputs.flatten(), targets.flatten().float()
        if bool(((wanted == 0) | (wanted == 1)).all()) and 0 < float(wanted.mean()) < 1:
            return "order", _order(flat, wanted.bool()), 0.5
        return "error", -float(((flat - wanted) ** 2).mean()), math.nan
    raise NotGiven("outputs and targets have no common form")


def _correlation(outputs: Tensor, targets: Tensor) -> float:
    both = torch.stack([outputs.flatten().double(), targets.flatten().double()])
    return float(torch.corrcoef(both)[0, 1].nan_to_num(0.0))


def _order(outputs: Tensor, ones: Tensor) -> float:
    """Return the chance that an example of class 1 stands above one of class 0 (area under the ROC curve)."""
    low, high = outputs[~ones].sort().values, outputs[ones]
    below = torch.searchsorted(low, high).double()
    up_to = torch.searchsorted(low, high, right=True).double()
    return float(((below + up_to) / 2).mean() / max(len(low), 1))
