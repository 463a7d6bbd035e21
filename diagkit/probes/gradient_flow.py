"""Which parameters does the gradient reach?

A parameter is *frozen* when it does not require a gradient, *dead* when no batch gives it any although the loss depends
on it, *unused* when the loss does not depend on it, *live* otherwise. A zero gradient is looked at again after one step,
since a layer behind a zero-initialized one is healthy; whether the loss depends on a parameter is asked by moving it.

Sources: the tutorial's gradient check; CS231n on sanity checks of the gradient; numerical against analytic gradient.
"""

import copy
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Loss, Predict, call, split
from diagkit.evidence.learning import GradientFlow
from diagkit.guard import generators, untouched
from diagkit.subject import NotGiven

STEP = 0.01  # share of each tensor's size that the second look moves it by
MOVE = 0.1  # share of its own spread that a silent parameter is moved by, to see whether the loss depends on it
BATCHES = 8  # looked at before a parameter counts as silent
MIN_EFFECT = 1e-6  # of the loss; below, a float's last digits

Batch = tuple[Inputs, Any]


def gradient_flow(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    predict: Predict | None = None,
    expected_frozen: Sequence[str] = (),
) -> GradientFlow:
    """Run a few batches forward and backward on a copy of the model, in train mode.

    Raises:
        NotGiven: the model has no parameters.
    """
    named = list(model.named_parameters())
    if not named:
        raise NotGiven("the model has no parameters")
    batches = [split(batch) for batch in islice(train, BATCHES)]
    with untouched(model), generators():
        model.train()
        norms = _norms_of(model, batches, loss_fn, predict)
        silent = [n for (n, p), norm in zip(named, norms, strict=True) if p.requires_grad and not norm > 0]
        dead = _depended_on(model, silent, batches[0], loss_fn, predict) if silent else set()
    states = [
        "frozen" if not p.requires_grad else "dead" if name in dead else "unused" if name in silent else "live"
        for name, p in named
    ]
    frozen = {name: p for name, p in named if not p.requires_grad}
    prepared = [name for name, p in frozen.items() if _is_prepared(name, p, frozen, expected_frozen)]
    return GradientFlow([name for name, _ in named], states, norms, prepared)


def _norms_of(model: nn.Module, batches: list[Batch], loss_fn: Loss, predict: Predict | None) -> list[float]:
    """Return the largest gradient norms of the batches, then once more after a small step where some are zero."""
    norms = _norms(model, batches[0], loss_fn, predict)
    wanted = [p.requires_grad for p in model.parameters()]
    if not _silent(norms, wanted):
        return norms
    for batch in batches[1:]:
        norms = _larger(norms, _norms(model, batch, loss_fn, predict))
    if _silent(norms, wanted):
        model = copy.deepcopy(model)
        for batch in batches[:2]:
            _norms(model, batch, loss_fn, predict, keep=True)
            _nudge(model)
            norms = _larger(norms, _norms(model, batch, loss_fn, predict))
    return norms


def _silent(norms: list[float], wanted: list[bool]) -> bool:
    return any(norm == 0 for norm, asked in zip(norms, wanted, strict=True) if asked)


def _larger(first: list[float], second: list[float]) -> list[float]:
    return [max(a, b) for a, b in zip(first, second, strict=True)]


def _norms(
    model: nn.Module, batch: Batch, loss_fn: Loss, predict: Predict | None, keep: bool = False
) -> list[float]:
    model.zero_grad()
    loss = loss_fn(call(model, batch[0], predict), copy.deepcopy(batch[1]))
    if loss.requires_grad:
        loss.backward()
    norms = [0.0 if p.grad is None else float(torch.linalg.vector_norm(_dense(p.grad))) for p in model.parameters()]
    if not keep:
        model.zero_grad()
    return norms


def _dense(gradient: Tensor) -> Tensor:
    return gradient.coalesce().values() if gradient.is_sparse else gradient


@torch.no_grad()
def _nudge(model: nn.Module) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None and (norm := _dense(parameter.grad).norm()) > 0:
            size = parameter.norm().clamp(min=1.0)
            parameter.add_(parameter.grad, alpha=-STEP * float(size / norm))


@torch.no_grad()
def _depended_on(
    model: nn.Module, silent: list[str], batch: Batch, loss_fn: Loss, predict: Predict | None
) -> set[str]:
    """Return the names of the parameters whose movement changes the loss; their values are put back."""
    model.eval()
    parameters = dict(model.named_parameters())
    before = float(loss_fn(call(model, batch[0], predict), copy.deepcopy(batch[1])))
    found = set()
    for name in silent:
        p = parameters[name]
        kept = p.detach().clone()
        spread = float(kept.abs().float().mean()) or MOVE
        try:
            p.add_(MOVE * spread * torch.randn_like(p))
            after = float(loss_fn(call(model, batch[0], predict), copy.deepcopy(batch[1])))
        finally:
            p.copy_(kept)
        if abs(after - before) > MIN_EFFECT * max(abs(before), MIN_EFFECT):
            found.add(name)
    return found


def _is_prepared(name: str, parameter: Tensor, frozen: dict[str, Tensor], expected: Sequence[str]) -> bool:
    """Return whether a frozen parameter was declared as such."""
    return any(fnmatch(name, pattern) for pattern in expected)
