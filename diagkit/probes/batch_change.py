"""Does a training step change the batch it is given?

A batch that the loader builds anew may be changed; one that it keeps (a list of batches, tensors that are handed out
without a copy) is another one in the next epoch. A change that a second step does not repeat, such as a mask that is
written once more, does no harm.

Source: in-place operations on inputs, PyTorch documentation of autograd mechanics.
"""

import copy
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, rebuilt, split, tensors
from diagkit.evidence.data import BatchChange
from diagkit.guard import generators
from diagkit.subject import NotGiven, TrainStep

MAX_PARAMETERS = 20_000_000  # a larger model is not copied for this


def batch_change(
    model: nn.Module,
    train_loader: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    predict: Predict | None = None,
    train_step: TrainStep | None = None,
) -> BatchChange:
    """Take two steps with a copy of the first batch, on a copy of the model.

    Raises:
        NotGiven: the batch is built anew at every reading, or the step raises.
    """
    if not _kept(train_loader):
        raise NotGiven("the loader builds every batch anew")
    if sum(p.numel() for p in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven("the model is too large to be copied for this")
    with generators():
        parts = copy.deepcopy((model, optimizer, loss_fn, train_step))
        parts[0].train()
        batch = copy.deepcopy(next(iter(train_loader)))
        try:
            for _ in range(2):
                before = copy.deepcopy(batch)
                _step(parts[0], batch, parts[2], parts[1], predict, parts[3])
        except Exception as error:  # anyone's step
            raise NotGiven(f"the step raised {type(error).__name__}: {error}") from error
    sides = zip(("inputs", "targets"), split(before), split(batch), strict=True)
    changed = [name for name, was, now in sides if not _equal(was, now)]
    return BatchChange(changed, True, "the train_step" if train_step is not None else "the model or the loss")


def _step(
    model: nn.Module,
    batch: Any,
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    predict: Predict | None,
    train_step: TrainStep | None,
) -> None:
    if train_step is not None:
        train_step(model, batch, loss_fn, optimizer)
        return
    inputs, targets = split(batch)
    with torch.no_grad():
        if predict is not None:
            outputs = predict(model, inputs)
        else:
            outputs = model(*inputs) if isinstance(inputs, tuple | list) else model(inputs)
        loss_fn(outputs, targets)


def _kept(loader: Iterable[Any]) -> bool:
    """Tell whether two readings hand out the same tensors."""
    try:
        first, second = next(iter(loader)), next(iter(loader))
    except StopIteration:
        return False
    return any(
        a.data_ptr() == b.data_ptr() and a.numel() > 0 for a, b in zip(tensors(first), tensors(second), strict=False)
    )


def _equal(was: Any, now: Any) -> bool:
    return all(
        a.shape == b.shape and torch.equal(a.nan_to_num(), b.nan_to_num())
        for a, b in zip(tensors(rebuilt(was, torch.clone)), tensors(now), strict=True)
    )
