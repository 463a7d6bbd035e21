"""Does the model learn more once its regularization is taken away?

Where the run did not even halve its loss, the trained and the untrained model take some steps, as before and without
weight decay and dropout: weights that were pulled to zero hardly come back, so both starts count. Only the validation
loss is compared, since memorizing is easy without.

Source: DeepCrime (ISSTA 2021), the operators that add regularization.
"""

import math
from collections.abc import Iterable
from itertools import islice, product
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict
from diagkit.evidence.learning import RegularizationTrial
from diagkit.evidence.training import History
from diagkit.guard import generators
from diagkit.rehearsal import continued, mean_loss, plain_step, take_steps
from diagkit.subject import NotGiven, TrainStep

DEEP = True
STEPS = 100
BATCHES = 12
ENOUGH = 0.5  # of its first loss: a run that gets below has done well
SECONDS = 6.0


def regularization_trial(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    val: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    history: History,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> RegularizationTrial:
    """Train copies of the trained model with and without regularization.

    Raises:
        NotGiven: the run did well, or there is no regularization to take away.
    """
    decay = max(float(group.get("weight_decay", 0.0)) for group in optimizer.param_groups)
    dropout = max((p for module in model.modules() for p in _dropouts(module).values()), default=0.0)
    if not decay and not dropout:
        raise NotGiven("there is neither weight decay nor dropout")
    asked = list(islice(val, BATCHES))
    start, end = mean_loss(model, asked, loss_fn, predict), mean_loss(trained_model, asked, loss_fn, predict)
    if start > 0 and end <= ENOUGH * start:
        raise NotGiven(f"the run brought its validation loss from {start:.3g} to {end:.3g}")
    peak = max(history.rates, default=0.0)
    if not peak > 0:
        raise NotGiven("the learning rate is zero")
    losses = []
    for keep, origin in product((True, False), (trained_model, model)):
        ours = _more(model, origin, optimizer, loss_fn, train_step or plain_step(predict), train, peak, keep)
        losses.append(mean_loss(ours, asked, loss_fn, predict) if ours is not None else math.nan)
    kept, free = ([its for its in half if math.isfinite(its)] for half in (losses[:2], losses[2:]))
    best = min(kept, default=math.nan), min(free, default=math.nan)
    return RegularizationTrial(STEPS, decay, dropout, start, end, *best)


def _dropouts(module: nn.Module) -> dict[str, float]:
    """Return the attributes of a module that say how much it drops, and their values."""
    drops = isinstance(module, nn.modules.dropout._DropoutNd)
    names = ("p", "dropout") if drops else ("dropout",)
    return {name: float(value) for name in names if isinstance(value := getattr(module, name, None), float) and value}


def _more(
    model: nn.Module,
    origin: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_fn: Loss,
    step: TrainStep,
    train: Iterable[Any],
    rate: float,
    keep: bool,
) -> nn.Module | None:
    """Return a copy of the model, with the weights of `origin`, after some steps; None where the time is up."""
    with generators():
        ours, opt, loss, its_step = continued(model, origin, optimizer, loss_fn, step)
        now = max(float(group["lr"]) for group in opt.param_groups)
        for group in opt.param_groups:
            group["lr"] = group["lr"] * rate / now if now else rate
            if not keep:
                group["weight_decay"] = 0.0
        if not keep:
            for module in ours.modules():
                for name in _dropouts(module):
                    setattr(module, name, 0.0)
        taken = take_steps(ours, opt, loss, its_step, train, STEPS, SECONDS)
    return ours if taken == STEPS else None
