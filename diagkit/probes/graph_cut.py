"""Does every position that the outputs depend on have a gradient?

A small change of one position of the input (or of what an embedding makes of it) moves the outputs, in double precision
and eval mode; then its gradient cannot be exactly zero, unless the graph is cut on the way (`detach` of a carried
state).

Source: numerical against analytic gradient, CS231n; input dependency by gradient, Karpathy's recipe (2019).
"""

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Predict, call, output, rebuilt, split, tensors
from diagkit.evidence.learning import GraphCut
from diagkit.guard import generators, untouched
from diagkit.subject import NotGiven

MAX_PARAMETERS = 5_000_000  # a copy in double precision
MAX_ROWS = 16
MAX_POSITIONS = 32
CHANGE = 1e-3  # of the values' spread
MIN_EFFECT = 1e-9  # of the outputs' size, per unit of change


def graph_cut(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> GraphCut:
    """Compare numerical and analytic dependence on the positions of the first input with a sequence axis.

    Raises:
        NotGiven: there is none, or the model is too large or cannot run in double precision.
    """
    if sum(p.numel() for p in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven("the model is too large for a copy in double precision")
    try:
        inputs, _ = split(next(iter(train)))
        rows = rebuilt(inputs, lambda t: t[:MAX_ROWS].double() if t.is_floating_point() else t[:MAX_ROWS])
        with untouched(model), generators():
            double = copy.deepcopy(model).double().eval()
            return _compare(double, rows, predict)
    except NotGiven:
        raise
    except Exception as error:  # anyone's model
        raise NotGiven(f"the model does not run in double precision: {error}") from error


def _compare(model: nn.Module, inputs: Inputs, predict: Predict | None) -> GraphCut:
    gradient, outputs = _gradient(model, inputs, predict)
    count = gradient.shape[1]
    seen = [i for i in range(count) if bool((gradient[:, i] != 0).any())]
    silent = [i for i in range(count) if i not in set(seen)][:MAX_POSITIONS]
    if not seen or not silent:
        return GraphCut(count, len(seen), [])
    size = float(outputs.abs().mean()) or 1.0
    cut = []
    for position in silent:
        moved = _outputs(model, inputs, predict, position)
        if float((moved - outputs).abs().max()) > MIN_EFFECT * CHANGE * size:
            cut.append(position)
    return GraphCut(count, len(seen) + len(cut), cut)


def _gradient(model: nn.Module, inputs: Inputs, predict: Predict | None) -> tuple[Tensor, Tensor]:
    """Return the gradient of the outputs' squares with respect to the positions, and the outputs."""
    with _watched(model, inputs, None) as leaf:
        made = output(call(model, leaf.inputs, predict))
        if not leaf.values:
            raise NotGiven("no input has an axis of positions")
        if not made.requires_grad:
            raise NotGiven("the outputs do not require a gradient")
        weights = torch.randn(made.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        gradients = torch.autograd.grad((made * weights).sum(), leaf.values[:1], allow_unused=True)
    if gradients[0] is None:
        raise NotGiven("the outputs have no gradient for the input")
    return gradients[0].reshape(*gradients[0].shape[:2], -1), made.detach()


@torch.no_grad()
def _outputs(model: nn.Module, inputs: Inputs, predict: Predict | None, position: int) -> Tensor:
    with _watched(model, inputs, position) as leaf:
        return output(call(model, leaf.inputs, predict))


class _Leaf:
    """The values whose positions are looked at: a float input, or the first embedding of ids."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.values: list[Tensor] = []


@contextmanager
def _watched(model: nn.Module, inputs: Inputs, position: int | None) -> Iterator[_Leaf]:
    """Give inputs, or hook an embedding, so that one position is moved, or all of them require a gradient."""
    leaf = _Leaf(inputs)
    floats = [t for t in tensors(inputs) if t.is_floating_point() and t.dim() == 3 and t.shape[1] > 1]
    ids = [t for t in tensors(inputs) if not t.is_floating_point() and t.dim() == 2 and t.shape[1] > 1]
    hooks = []
    if floats:
        first = floats[0]
        leaf.inputs = rebuilt(inputs, lambda t: _prepared(t, position, leaf) if t is first else t)
    elif ids:

        def hook(module: nn.Module, given: Any, made: Tensor) -> Tensor:
            if leaf.values or made.dim() != 3 or made.shape[:2] != ids[0].shape:
                return made
            return _prepared(made.detach(), position, leaf)

        hooks = [m.register_forward_hook(hook) for m in model.modules() if isinstance(m, nn.Embedding)]
    try:
        yield leaf
    finally:
        for handle in hooks:
            handle.remove()


def _prepared(values: Tensor, position: int | None, leaf: _Leaf) -> Tensor:
    values = values.clone()
    if position is None:
        values.requires_grad_(True)
    else:
        spread = float(values.std()) or 1.0
        noise = torch.randn(values[:, position].shape, generator=torch.Generator().manual_seed(1), dtype=values.dtype)
        values[:, position] += CHANGE * spread * noise
    leaf.values.append(values)
    return values
