"""How far are training and validation apart, and from where did they start?"""

import math
from collections.abc import Iterable
from typing import Any

from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, output, pairs, rows
from diagkit.evidence.fit import Fit
from diagkit.evidence.training import History
from diagkit.guard import evaluating
from diagkit.rehearsal import mean_loss
from diagkit.subject import NotGiven

NEAR = 0.5  # of ln(classes): a cross entropy starts there


def fit(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    val: Iterable[Any],
    loss_fn: Loss,
    history: History,
    task: str,
    predict: Predict | None = None,
) -> Fit:
    """Measure the loss of the untrained and of the trained model in eval mode.

    Raises:
        NotGiven: the loss cannot be computed.
    """
    try:
        before, after = (mean_loss(its, val, loss_fn, predict) for its in (model, trained_model))
        on_train = mean_loss(trained_model, train, loss_fn, predict)
        count = sum(rows(inputs) for inputs, _ in pairs(train))
        nats = _in_nats(model, val, before, task, predict)
    except Exception as error:
        raise NotGiven(f"the loss cannot be computed: {type(error).__name__}: {error}") from error
    return Fit(before, on_train, after, min([after, *history.val_losses]), count, nats)


def _in_nats(model: nn.Module, val: Iterable[Any], untrained: float, task: str, predict: Predict | None) -> bool:
    """Return whether the loss starts near that of uniform guessing."""
    if task == "regression":
        return False
    inputs, targets = next(pairs(val))
    with evaluating(model):
        scores = output(call(model, inputs, predict))
    whole = isinstance(targets, Tensor) and not targets.is_floating_point()
    classes = max(scores.shape) if task == "binary" else scores.shape[1 if scores.dim() > 3 else -1]
    uniform = math.log(2 if task == "binary" or not whole else max(classes, 2))
    return abs(untrained / uniform - 1) < NEAR
