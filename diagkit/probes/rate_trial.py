"""Would another learning rate have got further?

Where the run did not even halve its loss, a few dozen steps from the same start are taken at a tenth, a hundredth, ten
and a hundred times the rate. One that gets twice as far in sixty steps as the whole run did says that the rate is off.

Source: the sweep over orders of magnitude that every guide begins with (CS231n, neural networks part 3).
"""

import copy
import math
import time
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.learning import RateTrial
from diagkit.evidence.training import History
from diagkit.guard import generators, untouched
from diagkit.rehearsal import continued, plain_step, take_steps
from diagkit.subject import NotGiven, TrainStep

DEEP = True
FACTORS = (0.1, 0.01, 10.0, 100.0)
STEPS = 60
SHARE = 3  # the run must have taken that many times the steps of a trial: with as many, faster is only more impatient
MIN_STEPS = 10
BATCHES = 12  # whose loss is compared
ENOUGH = 0.5  # of its first loss: a run that gets below has done well
SECONDS = 30.0


def rate_trial(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    history: History,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> RateTrial:
    """Compare the trained model with copies trained for `STEPS` at other rates.

    Raises:
        NotGiven: the run did well, or took no step at a rate above zero.
    """
    batches = list(islice(train, STEPS))
    start = train_loss(model, batches, loss_fn, predict)
    end = train_loss(trained_model, batches, loss_fn, predict)
    if start > 0 and end <= ENOUGH * start:
        raise NotGiven(f"the run brought its loss from {start:.3g} to {end:.3g}")
    peak, now = max(history.rates, default=0.0), max(group["lr"] for group in optimizer.param_groups)
    if not peak > 0 or not now > 0 or not math.isfinite(start):
        raise NotGiven("there is no rate to compare with")
    until = time.monotonic() + SECONDS
    steps = min(STEPS, len(history.losses) // SHARE)
    if steps < MIN_STEPS:
        raise NotGiven(f"a run of {len(history.losses)} steps is too short to compare with")
    losses = []
    for factor in FACTORS:
        with generators():
            ours, opt, loss, step = continued(model, model, optimizer, loss_fn, train_step or plain_step(predict))
            for group in opt.param_groups:
                group["lr"] *= factor * peak / now
            taken = take_steps(ours, opt, loss, step, batches, steps, until - time.monotonic())
        losses.append(train_loss(ours, batches, loss_fn, predict) if taken == steps else math.nan)
    return RateTrial(steps, len(history.losses), start, end, list(FACTORS), losses)


def train_loss(model: nn.Module, batches: list[Any], loss_fn: Loss, predict: Predict | None) -> float:
    """Return the mean loss in train mode, where faults of the evaluation mode do not show."""
    with untouched(model), torch.no_grad():
        torch.manual_seed(0)
        model.train()
        losses = [
            float(loss_fn(call(model, inputs, predict), copy.deepcopy(targets)))
            for inputs, targets in map(split, batches[:BATCHES])
        ]
    return sum(losses) / len(losses)
