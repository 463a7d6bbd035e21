"""Which parameters does the gradient reach?

A parameter is *frozen* when it does not require a gradient, *dead* when it gets none or only zeros, *live* otherwise.
A zero gradient is looked at again after one step, since a layer behind a zero-initialized one is healthy.

Source: the tutorial's gradient check; CS231n on sanity checks of the gradient.
"""

import copy
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from diagkit.batches import Inputs, Loss, Predict, call, split
from diagkit.evidence.learning import GradientFlow

STEP = 0.01  # share of each tensor's size that the second look moves it by


def gradient_flow(
    model: nn.Module, train: Iterable[Any], loss_fn: Loss, predict: Predict | None = None
) -> GradientFlow:
    """Run the first batch forward and backward on a copy of the model, in train mode."""
    model = copy.deepcopy(model).train()
    inputs, targets = split(next(iter(train)))
    norms = _norms(model, inputs, targets, loss_fn, predict)
    if any(norm == 0 for norm, p in zip(norms, model.parameters(), strict=True) if p.requires_grad):
        _nudge(model)
        again = _norms(model, inputs, targets, loss_fn, predict)
        norms = [max(first, second) for first, second in zip(norms, again, strict=True)]
    named = list(model.named_parameters())
    states = [
        "frozen" if not parameter.requires_grad else "live" if norm > 0 else "dead"
        for (_, parameter), norm in zip(named, norms, strict=True)
    ]
    return GradientFlow([name for name, _ in named], states, norms)


def _norms(model: nn.Module, inputs: Inputs, targets: Any, loss_fn: Loss, predict: Predict | None) -> list[float]:
    model.zero_grad()
    loss = loss_fn(call(model, inputs, predict), targets)
    if loss.requires_grad:
        loss.backward()
    return [0.0 if p.grad is None else float(p.grad.norm()) for p in model.parameters()]


@torch.no_grad()
def _nudge(model: nn.Module) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None and (norm := parameter.grad.norm()) > 0:
            size = parameter.norm().clamp(min=1.0)
            parameter.sub_(STEP * size / norm * parameter.grad)
