"""Which learning rate does the schedule give to every step of the training that is planned?

A copy of the scheduler is stepped over all of them with an optimizer that has the same settings and no weights.
"""

import copy
import warnings
from collections.abc import Iterable
from typing import Any

import torch

from diagkit.evidence.learning import PlannedRates
from diagkit.subject import NotGiven

MAX_STEPS = 200_000  # simulated; a longer plan is looked at up to here
POINTS = 2000  # of the curve that are kept


def planned_rates(
    optimizer: torch.optim.Optimizer,
    train_loader: Iterable[Any],
    epochs: int,
    scheduler: Any = None,
    scheduler_interval: str = "epoch",
) -> PlannedRates:
    """Step a copy of the scheduler through `epochs` passes over the loader.

    Raises:
        NotGiven: the schedule cannot be known beforehand.
    """
    if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
        raise NotGiven("ReduceLROnPlateau decides by the losses; the history tells")
    try:
        per_epoch = len(train_loader)  # type: ignore[arg-type]
    except TypeError as error:
        raise NotGiven("the training loader has no length") from error
    groups = optimizer.param_groups
    asked = max(float(group.get("max_lr", group.get("initial_lr", group["lr"]))) for group in groups)
    steps = epochs * per_epoch
    if scheduler is None:
        return PlannedRates(steps, asked, [_highest(optimizer)], "", 1.0)
    stand_in, schedule = _copy(optimizer, scheduler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an optimizer that never steps
        rates, problem = _simulate(stand_in, schedule, min(steps, MAX_STEPS), per_epoch, scheduler_interval)
    stride = max(1, len(rates) // POINTS)
    return PlannedRates(steps, asked, rates[::stride], problem, len(rates) / max(min(steps, MAX_STEPS), 1))


def _highest(optimizer: torch.optim.Optimizer) -> float:
    return max(float(group["lr"]) for group in optimizer.param_groups)


def _copy(optimizer: torch.optim.Optimizer, scheduler: Any) -> tuple[torch.optim.Optimizer, Any]:
    """Copy the scheduler onto an optimizer with the same settings, but one number for weights."""
    stand_in = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    settings = [{k: v for k, v in group.items() if k != "params"} for group in optimizer.param_groups]
    stand_in.param_groups = [{**copy.deepcopy(its), "params": [torch.zeros(1)]} for its in settings]
    stand_in.defaults = dict(optimizer.defaults)
    try:
        return stand_in, copy.deepcopy(scheduler, {id(optimizer): stand_in})
    except Exception as error:  # a scheduler that holds a file or a lock
        raise NotGiven(f"the scheduler cannot be copied: {error}") from error


def _simulate(
    optimizer: torch.optim.Optimizer, scheduler: Any, steps: int, per_epoch: int, interval: str
) -> tuple[list[float], str]:
    """Return the rate of every step and what the scheduler raised, if it did."""
    rates = []
    for number in range(1, steps + 1):
        rates.append(_highest(optimizer))
        if interval == "step" or number % per_epoch == 0:
            try:
                if number < steps:  # what happens after the last step harms nobody
                    scheduler.step()
            except TypeError as error:
                raise NotGiven(f"the scheduler asks for more than a step: {error}") from error
            except Exception as error:  # OneCycleLR that is stepped too often
                return rates, f"{type(error).__name__}: {error}"
    return rates, ""
