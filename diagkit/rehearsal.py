"""Train a copy of someone's model the way they would, and record it."""

import copy
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, pairs, rows, split
from diagkit.evidence.training import History
from diagkit.guard import evaluating
from diagkit.subject import Subject, TrainStep


@dataclass(frozen=True)
class Budget:
    """How much training is allowed."""

    seconds: float
    steps: int | None = None


def rehearse(subject: Subject, budget: Budget) -> tuple[nn.Module, History]:
    """Train a copy of model, optimizer and scheduler for the subject's epochs, or until the budget is spent.

    Returns:
        The trained copy and its history; `history.planned_steps` tells whether it went to the end.
    """
    loader = subject.train_loader if subject.train_loader is not None else subject.train
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, optimizer, scheduler, loss_fn, step = copy.deepcopy(
            (subject.model, subject.optimizer, subject.scheduler, subject.loss_fn, subject.train_step)
        )
        loader, val = copy.deepcopy((loader, subject.val))
        step = step or plain_step(subject.predict)
        asked = max(group.get("initial_lr", group["lr"]) for group in optimizer.param_groups)
        history = History([], [], asked, [], [], planned_steps=(subject.epochs or 1) * _length(loader))
        end = time.monotonic() + budget.seconds
        model.train()
        for _ in range(subject.epochs or 1):
            spent = _epoch(model, loader, loss_fn, optimizer, scheduler, subject, step, history, budget, end)
            if subject.scheduler_interval == "epoch" and scheduler is not None and not spent:
                _advance(scheduler, history)
            if val is not None:
                history.val_steps.append(len(history.losses))
                history.val_losses.append(mean_loss(model, val, loss_fn, subject.predict))
            if spent:
                return model, history
    return model, replace(history, planned_steps=0)


def _length(loader: Iterable[Any]) -> int:
    """Return the batches of an epoch, 1 where a loader does not know."""
    try:
        return len(loader)  # type: ignore[arg-type]
    except TypeError:
        return 1


def _epoch(
    model: nn.Module,
    loader: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    scheduler: Any,
    subject: Subject,
    step: Any,
    history: History,
    budget: Budget,
    end: float,
) -> bool:
    """Take one epoch's steps and return whether the budget is spent."""
    model.train()
    for batch in loader:
        if time.monotonic() > end or (budget.steps is not None and len(history.losses) >= budget.steps):
            return True
        history.rates.append(max(group["lr"] for group in optimizer.param_groups))
        history.losses.append(float(step(model, batch, loss_fn, optimizer)))
        if subject.scheduler_interval == "step" and scheduler is not None:
            _advance(scheduler, history)
    return False


def _advance(scheduler: Any, history: History) -> None:
    if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
        scheduler.step(history.val_losses[-1] if history.val_losses else history.losses[-1])
    else:
        scheduler.step()


def plain_step(predict: Predict | None = None) -> Any:
    """Return the training step that everyone writes, for those who gave none."""

    def step(model: nn.Module, batch: Any, loss_fn: Loss, optimizer: torch.optim.Optimizer) -> float:
        inputs, targets = split(batch)
        optimizer.zero_grad()
        loss = loss_fn(call(model, inputs, predict), targets)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def continued(
    model: nn.Module, weights: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, step: TrainStep
) -> tuple[nn.Module, torch.optim.Optimizer, Loss, TrainStep]:
    """Return copies to train on with: a model with the weights of another one, its optimizer, loss and step."""
    ours, optimizer, loss_fn, step = copy.deepcopy((model, optimizer, loss_fn, step))
    ours.load_state_dict(weights.state_dict())
    return ours, optimizer, loss_fn, step


def take_steps(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_fn: Loss,
    step: TrainStep,
    batches: Iterable[Any],
    steps: int,
    seconds: float,
) -> int:
    """Train on batches, from the first again after the last, and return how many steps there was time for."""
    end = time.monotonic() + seconds
    model.train()
    for taken, batch in enumerate(islice(cycle(batches), steps)):
        if time.monotonic() > end:
            return taken
        step(model, copy.deepcopy(batch), loss_fn, optimizer)
    return steps


def mean_loss(model: nn.Module, batches: Iterable[Any], loss_fn: Loss, predict: Predict | None = None) -> float:
    """Average the loss over batches, weighted by their examples, in eval mode; NaN without any."""
    total, count = 0.0, 0
    with evaluating(model):
        for inputs, targets in pairs(batches):
            size = rows(inputs)
            total += float(loss_fn(call(model, inputs, predict), targets)) * size
            count += size
    return total / count if count else float("nan")
