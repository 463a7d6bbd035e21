"""Does the model take a batch of seven, a size that no reshape fits by accident?

Source: the prime dimensions of the diagnostics catalogue; Slavv, 37 reasons (2017).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, rebuilt, split, tensors
from diagkit.evidence.data import OddBatch
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

ROWS = 7


def odd_batch(
    model: nn.Module, train: Iterable[Any], loss_fn: Loss, predict: Predict | None = None, rows: int = ROWS
) -> OddBatch:
    """Ask model and loss about the first `rows` examples of a batch that they can be asked about as a whole.

    Raises:
        NotGiven: the batch is too small or is no stack of examples, or fails as a whole.
    """
    inputs, targets = split(next(iter(train)))
    parts = [*tensors(inputs), *tensors(targets)] if tensors(targets) else []
    usual = len(parts[0]) if parts and parts[0].dim() else 0
    if usual <= rows or any(not part.dim() or len(part) != usual for part in parts):
        raise NotGiven(f"a batch is no stack of more than {rows} examples")
    with evaluating(model):
        try:
            whole = tensors(call(model, inputs, predict))
            loss = loss_fn(call(model, inputs, predict), targets)
        except Exception as error:
            raise NotGiven(f"the model or loss raised on a batch as it is: {type(error).__name__}: {error}") from error
        if not bool(torch.isfinite(torch.as_tensor(loss)).all()):
            raise NotGiven("the loss of a batch as it is has no finite value")
        stacked = [bool(its.dim()) and len(its) == usual for its in whole]
        problem = _problem(
            model, rebuilt(inputs, _first(rows)), rebuilt(targets, _first(rows)), loss_fn, predict, stacked
        )
    return OddBatch(rows, usual, problem)


def _first(rows: int) -> Any:
    return lambda part: part[:rows].clone()


def _problem(
    model: nn.Module, inputs: Any, targets: Any, loss_fn: Loss, predict: Predict | None, stacked: list[bool]
) -> str:
    rows = len(tensors(targets)[0])
    try:
        outputs = call(model, inputs, predict)
        few: list[Tensor] = tensors(outputs)
        loss = loss_fn(outputs, targets)
    except Exception as error:  # what is looked for
        return f"{type(error).__name__}: {error}"
    if any(was and (not its.dim() or len(its) != rows) for was, its in zip(stacked, few, strict=False)):
        return f"{rows} examples give outputs of shape {tuple(few[0].shape)}"
    return "" if bool(torch.isfinite(loss.detach()).all()) else "the loss is not finite"
