"""Which parameters does the gradient reach?

A parameter is *frozen* when it does not require a gradient, *dead* when no batch gives it any although the loss depends
on it, *unused* when the loss does not depend on it, *live* otherwise. A zero gradient is looked at again after one
step, since a layer behind a zero-initialized one is healthy; whether the loss depends on a parameter is asked by moving
it.

Sources: the tutorial's gradient check; CS231n on sanity checks of the gradient; numerical against analytic gradient.
"""

import copy
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
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
MAX_MOVED = 24  # silent parameters that are moved one by one
MIN_VALUES = 30  # of a weight, for the shape of their distribution to say something
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
    with untouched(model), generators():
        model.train()
        try:
            batches = [split(batch) for batch in islice(train, BATCHES)]
            norms = _norms_of(model, batches, loss_fn, predict)
        except Exception as error:  # anyone's model and loss
            raise NotGiven(f"forward and backward raised {type(error).__name__}: {error}") from error
        silent = [n for (n, p), norm in zip(named, norms, strict=True) if p.requires_grad and norm == 0]
        dead = _depended_on(model, silent, batches[0], loss_fn, predict) if silent else set()
    states = [
        "frozen" if not p.requires_grad else "dead" if name in dead else "unused" if name in silent else "live"
        for name, p in named
    ]
    return GradientFlow([name for name, _ in named], states, norms, _prepared(model, expected_frozen))


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


def _norms(model: nn.Module, batch: Batch, loss_fn: Loss, predict: Predict | None, keep: bool = False) -> list[float]:
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


def _depended_on(model: nn.Module, silent: list[str], batch: Batch, loss_fn: Loss, predict: Predict | None) -> set[str]:
    """Return the names of the parameters whose movement changes the loss; their values are put back."""
    model.eval()
    parameters = dict(model.named_parameters())

    def changed(names: list[str]) -> bool:
        before = _loss(model, batch, loss_fn, predict)
        with _moved([parameters[name] for name in names]):
            after = _loss(model, batch, loss_fn, predict)
        return abs(after - before) > MIN_EFFECT * max(abs(before), MIN_EFFECT)

    if not changed(silent):
        return set()
    asked = silent[:MAX_MOVED]
    found = {name for name in asked if changed([name])}
    return found | set(silent[MAX_MOVED:]) if found else found


@torch.no_grad()
def _loss(model: nn.Module, batch: Batch, loss_fn: Loss, predict: Predict | None) -> float:
    torch.manual_seed(0)
    return float(loss_fn(call(model, batch[0], predict), copy.deepcopy(batch[1])))


@contextmanager
def _moved(parameters: list[nn.Parameter]) -> Iterator[None]:
    kept = [p.detach().clone() for p in parameters]
    generator = torch.Generator().manual_seed(0)
    try:
        with torch.no_grad():
            for p in parameters:
                spread = float(p.abs().float().mean()) or 1.0
                p.add_(MOVE * spread * torch.randn(p.shape, generator=generator).to(p.device, p.dtype))
        yield
    finally:
        with torch.no_grad():
            for p, values in zip(parameters, kept, strict=True):
                p.copy_(values)


def _prepared(model: nn.Module, expected: Sequence[str]) -> list[str]:
    """Return the frozen parameters that are declared, or all of them where their matrices are not as if just made.

    Weights that were loaded or trained are neither uniform nor normal any more, or the statistics of their
    normalization have moved; freezing those is a usual choice, freezing fresh ones hardly ever.
    """
    frozen = {name: p for name, p in model.named_parameters() if not p.requires_grad}
    declared = {name for name in frozen if any(fnmatch(name, pattern) for pattern in expected)}
    other = [(name, p) for name, p in frozen.items() if name not in declared]
    matrices = [p for name, p in other if p.dim() > 1 and _is_layer(model, name)]
    fresh = sum(p.numel() for p in matrices if looks_fresh(p.detach()))
    if fresh > sum(p.numel() for p in matrices) / 2 and not _has_history(model):
        return sorted(declared)
    return list(frozen)


def _is_layer(model: nn.Module, name: str) -> bool:
    """Return whether a parameter belongs to a layer of torch, not to a module that keeps constants of its own."""
    owner = model.get_submodule(name.rpartition(".")[0])
    return any(kind.__module__.startswith("torch.nn.modules") and kind is not nn.Module for kind in type(owner).__mro__)


def _has_history(model: nn.Module) -> bool:
    counts = [b for name, b in model.named_buffers() if name.endswith("num_batches_tracked")]
    return any(bool(count > 0) for count in counts)


def looks_fresh(weight: Tensor) -> bool:
    """Return whether values are spread uniformly or normally, as initializers leave them, by their fourth moment."""
    values = weight.double().flatten()
    deviation = values.std(unbiased=False)
    if len(values) < MIN_VALUES or not deviation > 0:
        return True  # too few to tell, or constant
    kurtosis = float(((values - values.mean()) ** 4).mean() / deviation**4)
    noise = 1 / math.sqrt(len(values))
    return abs(kurtosis - 1.8) < 4 * noise or abs(kurtosis - 3) < 4 * math.sqrt(24) * noise
