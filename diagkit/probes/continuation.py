"""Would some more steps help a lot?

A copy of the trained model takes more steps of the same training at its last rate. A training that has converged
gains next to nothing by them.

Source: Karpathy, A recipe for training neural networks (2019): leave it training.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict
from diagkit.evidence.fit import Continuation
from diagkit.evidence.training import History
from diagkit.guard import generators, untouched
from diagkit.rehearsal import continued, mean_loss, plain_step, take_steps
from diagkit.subject import NotGiven, TrainStep

DEEP = True
MAX_STEPS = 100
SECONDS = 3.0
MAX_PARAMETERS = 20_000_000


def continuation(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    val: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    history: History,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> Continuation:
    """Take as many steps again, at most `MAX_STEPS`, on a copy.

    Raises:
        NotGiven: the training was cut short by the budget, the model is too large, or a step raises.
    """
    taken = len(history.losses)
    if history.planned_steps > taken or not taken:
        raise NotGiven("the training was not taken to its end")
    if sum(parameter.numel() for parameter in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven(f"more steps of more than {MAX_PARAMETERS:,} parameters cost too much")
    batches = list(train)
    try:
        with untouched(trained_model), generators():
            torch.manual_seed(0)
            untrained, before = (mean_loss(its, val, loss_fn, predict) for its in (model, trained_model))
            train_before = mean_loss(trained_model, batches, loss_fn, predict)
            ours, more = _continued(model, trained_model, batches, loss_fn, optimizer, history, train_step, predict)
            after, train_after = (mean_loss(ours, its, loss_fn, predict) for its in (val, batches))
    except Exception as error:
        raise NotGiven(f"the training cannot be continued: {type(error).__name__}: {error}") from error
    share = history.rates[-1] / max(max(history.rates), 1e-30)
    before = min([before, *history.val_losses])  # a last step that jumped up is not what more steps repair
    return Continuation(taken, more, untrained, before, after, train_before, train_after, share)


def _continued(
    model: nn.Module,
    trained_model: nn.Module,
    batches: list[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    history: History,
    train_step: TrainStep | None,
    predict: Predict | None,
) -> tuple[nn.Module, int]:
    ours, opt, loss, step = continued(model, trained_model, optimizer, loss_fn, train_step or plain_step(predict))
    highest = max(group["lr"] for group in opt.param_groups) or 1.0
    for group in opt.param_groups:
        group["lr"] *= history.rates[-1] / highest
    steps = min(MAX_STEPS, len(history.losses))
    return ours, take_steps(ours, opt, loss, step, batches, steps, SECONDS)
