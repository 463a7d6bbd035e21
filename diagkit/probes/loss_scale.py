"""Does the loss average over the examples and positions of a batch, or add them up?

The same outputs and targets are given once and twice in a row, and where there are positions, twice along these.
"""

import copy
import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, rebuilt, rows, split
from diagkit.evidence.learning import LossScale
from diagkit.guard import evaluating
from diagkit.subject import NotGiven


def loss_scale(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    predict: Predict | None = None,
) -> LossScale:
    """Compare the loss of the first batch with that of the same batch repeated.

    Raises:
        NotGiven: the loss cannot be asked about a repeated batch.
    """
    try:
        inputs, targets = split(next(iter(train)))
        with evaluating(model):
            outputs = call(model, inputs, predict)
            once = float(loss_fn(outputs, copy.deepcopy(targets)))
            repeats = [(_repeated(outputs), _repeated(targets)), *_longer(outputs, targets)]
            twice = max(float(loss_fn(*both)) for both in repeats)
        count = rows(inputs)
    except Exception as error:  # anyone's model and loss
        raise NotGiven(f"the loss of a repeated batch raised {type(error).__name__}: {error}") from error
    if not once or not math.isfinite(once) or not math.isfinite(twice):
        raise NotGiven(f"the loss of a batch is {once}, of the repeated one {twice}")
    return LossScale(twice / once, count, "eps" not in optimizer.param_groups[0])


def _longer(outputs: Any, targets: Any) -> list[tuple[Any, Any]]:
    """Return outputs and classes that are repeated along their positions, if they have any."""
    if not (isinstance(outputs, Tensor) and isinstance(targets, Tensor) and is_ids(targets)):
        return []
    if targets.dim() != 2 or outputs.dim() != 3:
        return []
    axis = 1 if outputs.shape[1] == targets.shape[1] else 2
    return [(torch.cat([outputs, outputs], axis), torch.cat([targets, targets], 1))]


def _repeated(values: Any) -> Any:
    return rebuilt(values, lambda t: torch.cat([t, t]) if t.dim() else t)
