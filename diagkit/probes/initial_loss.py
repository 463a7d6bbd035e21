"""How does the loss of the untrained model compare with that of knowing nothing?

Knowing nothing is an output of zeros, which is ln C for C classes, 0.693 for two, the mean square of the targets for a
squared error; or the same probability for every class where the outputs are probabilities or their logarithms.

Sources: Karpathy's recipe (2019), verify loss at init; CS231n, sanity checks.
"""

import copy
import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, rebuilt, rows, split, tensors
from diagkit.evidence.learning import InitialLoss
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

BATCHES = 5


def initial_loss(model: nn.Module, train: Iterable[Any], loss_fn: Loss, predict: Predict | None = None) -> InitialLoss:
    """Average over the first batches.

    Raises:
        NotGiven: model or loss cannot be called, or the outputs are no tensors.
    """
    losses, references, counts, sizes = [], [], [], []
    try:
        for inputs, targets in map(split, islice(train, BATCHES)):
            with evaluating(model):
                outputs = call(model, inputs, predict)
                loss = float(loss_fn(outputs, copy.deepcopy(targets)))
                losses.append(min(loss, _in_train_mode(model, inputs, targets, loss_fn, predict)))
                references.append(float(loss_fn(rebuilt(outputs, _ignorant), copy.deepcopy(targets))))
            counts.append(rows(inputs))
            floats = [t for t in tensors(inputs) if not is_ids(t) and t.dtype != torch.bool]
            sizes += [float(t.abs().double().square().mean().sqrt()) for t in floats[:1]]
    except Exception as error:  # anyone's model and loss
        raise NotGiven(f"the loss raised {type(error).__name__}: {error}") from error
    if not losses:
        raise NotGiven("there is no batch")
    size = sum(sizes) / len(sizes) if sizes else math.nan
    return InitialLoss(sum(counts), sum(losses) / len(losses), sum(references) / len(references), size)


def _in_train_mode(model: nn.Module, inputs: Any, targets: Any, loss_fn: Loss, predict: Predict | None) -> float:
    model.train()
    try:
        return float(loss_fn(call(model, inputs, predict), copy.deepcopy(targets)))
    except ValueError:  # batch statistics of a single example
        return math.inf


def _ignorant(output: Tensor) -> Tensor:
    """Return the output of a model that knows nothing, in the form that this one has."""
    if not output.is_floating_point():
        return output
    for axis in {1, output.dim() - 1} if output.dim() > 1 else set():
        classes = output.shape[axis]
        if classes > 1 and _sums_to_one(output.float().exp(), axis):
            return torch.full_like(output, -math.log(classes))
        if classes > 1 and bool((output >= 0).all()) and _sums_to_one(output.float(), axis):
            return torch.full_like(output, 1 / classes)
    if bool(((output > 0) & (output < 1)).all()):
        return torch.full_like(output, 0.5)
    return torch.zeros_like(output)


def _sums_to_one(output: Tensor, axis: int) -> bool:
    return bool((output.sum(axis) - 1).abs().max() < 1e-2)
