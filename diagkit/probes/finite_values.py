"""Where does NaN or infinity arise?

Hooks on every module look at outputs of any structure, forward and then at the gradients, for some batches of the
untrained model in train mode. An infinity inside (an additive mask) is fine as long as loss and gradients are finite.

Source: forward hooks for NaN, a habit of the field; `torch.autograd.detect_anomaly` for the backward side.
"""

import copy
import math
import time
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, split, tensors
from diagkit.evidence.learning import FiniteValues
from diagkit.guard import generators, untouched
from diagkit.subject import NotGiven

DEEP = True
BATCHES = 10
SECONDS = 3.0  # after which no further batch is begun


def finite_values(
    model: nn.Module, train: Iterable[Any], loss_fn: Loss, predict: Predict | None = None
) -> FiniteValues:
    """Run batches forward and backward until one is not finite.

    Raises:
        NotGiven: model or loss cannot be called.
    """
    number, loss, module = 0, math.nan, ""
    bad: list[str] = []
    end = time.monotonic() + SECONDS
    with untouched(model), generators():
        model.train()
        for number, batch in enumerate(islice(train, BATCHES), start=1):
            try:
                inputs, targets = split(batch)
                if not _finite((inputs, targets)):
                    return FiniteValues(number, False, "", math.nan, [])
                module, loss, bad = _look(model, inputs, targets, loss_fn, predict)
            except Exception as error:  # anyone's model and loss
                raise NotGiven(f"forward and backward raised {type(error).__name__}: {error}") from error
            if bad or not math.isfinite(loss):
                break
            module = ""
            if time.monotonic() > end:
                break
    return FiniteValues(number, True, module, loss, bad)


@torch.no_grad()  # a check inside of a forward pass must not save anything for the backward pass
def _finite(values: Any) -> bool:
    return all(bool(torch.isfinite(t).all()) for t in tensors(values))


def _look(
    model: nn.Module, inputs: Any, targets: Any, loss_fn: Loss, predict: Predict | None
) -> tuple[str, float, list[str]]:
    first: list[str] = []

    def look(name: str, given: Any, made: Any) -> None:
        if not first and not _finite(made) and _finite(given):
            first.append(name or "model")

    hooks = [
        module.register_forward_hook(lambda _, given, made, name=name: look(name, given, made))
        for name, module in model.named_modules()
    ]
    try:
        loss = loss_fn(call(model, inputs, predict), copy.deepcopy(targets))
    finally:
        for hook in hooks:
            hook.remove()
    bad: list[str] = []
    if loss.requires_grad and bool(torch.isfinite(loss).all()):
        named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        gradients = torch.autograd.grad(loss, [p for _, p in named], allow_unused=True)
        bad = [n for (n, _), g in zip(named, gradients, strict=True) if g is not None and not _finite(_values(g))]
    return first[0] if first else "", float(loss.detach()), bad


def _values(gradient: torch.Tensor) -> torch.Tensor:
    return gradient.coalesce().values() if gradient.is_sparse else gradient
