"""Does the same seed give the same training?

The loader is read twice from one seed, and a few steps are taken twice from one state, one seed and the same batches.

Source: PyTorch documentation, Reproducibility.
"""

import copy
import inspect
import random
import time
from collections.abc import Iterable
from itertools import islice
from types import FunctionType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, tensors
from diagkit.evidence.environment import RepeatedSteps
from diagkit.guard import generators, untouched
from diagkit.rehearsal import plain_step
from diagkit.subject import NotGiven, TrainStep

DEEP = True
STEPS = 5
SECONDS = 4.0  # of the first run; the second takes as many steps
BATCHES = 3  # of the loader
MAX_PARAMETERS = 20_000_000  # beyond, ten steps cost more than the question is worth
HARMLESS = (int, float, str, bytes, bool, type(None), Tensor, type, FunctionType, type(torch), type(len))


def repeated_steps(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_loader: Iterable[Any] | None = None,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> RepeatedSteps:
    """Take `STEPS` steps twice on copies, and read `BATCHES` batches twice.

    Raises:
        NotGiven: the model is too large, the step raises, or it keeps a state that cannot be copied.
    """
    if sum(parameter.numel() for parameter in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven(f"ten steps of more than {MAX_PARAMETERS:,} parameters cost too much")
    for function in (train_step, loss_fn, predict):
        if kept := _kept_state(function):
            raise NotGiven(f"the training step uses {kept}, whose state cannot be set back")
    batches = list(islice(train, STEPS))
    losses: list[list[float]] = []
    try:
        with untouched(model):
            for _ in range(2):
                step = train_step or plain_step(predict)
                parts = copy.deepcopy((model, optimizer, loss_fn, step, batches))
                losses.append(_losses(*parts, len(losses[0]) if losses else STEPS))
    except Exception as error:
        raise NotGiven(f"the training step raises {type(error).__name__}: {error}") from error
    return RepeatedSteps(len(losses[0]), losses, _loader_repeats(train_loader))


def _losses(
    model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, step: TrainStep, batches: list[Any], count: int
) -> list[float]:
    _seed()
    model.train()
    end, losses = time.monotonic() + SECONDS, []
    for number in range(count):
        losses.append(float(step(model, batches[number % len(batches)], loss_fn, optimizer)))
        if count == STEPS and time.monotonic() > end:
            break
    return losses


def _loader_repeats(loader: Iterable[Any] | None) -> bool:
    if loader is None or isinstance(loader, list):
        return True
    read = []
    with generators():
        for _ in range(2):
            try:
                again = copy.deepcopy(loader)
            except Exception:  # open files, locks
                return True
            _seed()
            read.append([part.clone() for batch in islice(again, BATCHES) for part in tensors(batch)])
    return len(read[0]) == len(read[1]) and all(_equal(one, two) for one, two in zip(*read, strict=True))


def _equal(one: Tensor, two: Tensor) -> bool:
    return one.shape == two.shape and torch.allclose(one.double(), two.double(), equal_nan=True)


def _seed() -> None:
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)


def _kept_state(function: Any) -> str:
    """Name what a function refers to that may remember earlier calls; objects that are called are copied whole."""
    if not isinstance(function, FunctionType):
        return ""
    variables = inspect.getclosurevars(function)
    for name, value in {**variables.globals, **variables.nonlocals}.items():
        plain = isinstance(value, tuple) and all(isinstance(part, HARMLESS) for part in value)
        if not isinstance(value, HARMLESS) and not plain and not inspect.isbuiltin(value):
            return name
    return ""
