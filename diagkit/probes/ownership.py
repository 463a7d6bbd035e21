"""Does the optimizer own every parameter that is meant to learn?

Tensors that a module keeps in a plain list, dict or attribute are no parameters of it: `model.parameters()` does not
name them, and neither does an optimizer made from it. They count where the loss has a gradient for them.
"""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.learning import Ownership
from diagkit.guard import generators, untouched

MAX_DEPTH = 4  # lists in dicts in objects; beyond, nobody keeps layers


def ownership(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    train: Iterable[Any] | None = None,
    loss_fn: Loss | None = None,
    predict: Predict | None = None,
    expected_frozen: Sequence[str] = (),
) -> Ownership:
    """Compare the model's parameters, and tensors it holds unregistered, with the optimizer's groups."""
    owned = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    named = list(model.named_parameters())
    known = {id(p) for _, p in named}
    missing = [
        name
        for name, p in named
        if p.requires_grad and id(p) not in owned and not any(fnmatch(name, pattern) for pattern in expected_frozen)
    ]
    hidden = {name: t for name, t in _hidden(model) if id(t) not in owned | known}
    if hidden and train is not None and loss_fn is not None:
        hidden = _learning(hidden, model, next(iter(train)), loss_fn, predict)
    else:
        hidden = {}
    return Ownership(len(named), missing, len(owned - known), list(hidden))


def _hidden(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    for prefix, module in model.named_modules():
        for name, value in vars(module).items():
            if not name.startswith("_") or isinstance(value, Tensor | list | dict):
                yield from _tensors(f"{prefix}.{name}".strip("."), value, 0)


def _tensors(name: str, value: Any, depth: int) -> Iterator[tuple[str, Tensor]]:
    """Yield the leaves that require a gradient inside a plain value."""
    if isinstance(value, Tensor):
        if value.is_leaf and value.requires_grad:
            yield name, value
    elif name.rpartition(".")[2] in ("_parameters", "_modules", "_buffers") or depth > MAX_DEPTH:
        return
    elif isinstance(value, nn.Module):
        if depth:
            yield from ((f"{name}.{key}", p) for key, p in value.named_parameters() if p.requires_grad)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _tensors(f"{name}[{key!r}]", item, depth + 1)
    elif isinstance(value, list | tuple | set):
        for number, item in enumerate(value):
            yield from _tensors(f"{name}[{number}]", item, depth + 1)


def _learning(
    hidden: dict[str, Tensor], model: nn.Module, batch: Any, loss_fn: Loss, predict: Predict | None
) -> dict[str, Tensor]:
    """Return those that the loss has a gradient for."""
    try:
        with untouched(model), generators():
            model.train()
            inputs, targets = split(batch)
            loss = loss_fn(call(model, inputs, predict), copy.deepcopy(targets))
            gradients = torch.autograd.grad(loss, list(hidden.values()), allow_unused=True)
    except Exception:  # a model that does not run is told of elsewhere
        return {}
    return {name: t for (name, t), g in zip(hidden.items(), gradients, strict=True) if g is not None}
