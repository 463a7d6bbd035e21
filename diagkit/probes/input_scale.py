"""How large are the inputs where the first weights meet them?

A model that divides by 255 or begins with a normalization is given what it needs, whatever comes out of the loader; so
the size counts as it reaches the first layer with weights.

Source: LeCun et al., Efficient BackProp (1998), section 4.3, on inputs near mean 0 and variance 1.
"""

import copy
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, split, tensors
from diagkit.evidence.data import InputScale
from diagkit.guard import untouched
from diagkit.subject import NotGiven, TrainStep

QUANTILE = 0.9  # of a feature's values: a few outliers do not make it large
LARGE = 10.0  # from here on it is worth looking what a train_step of one's own makes of the batch
MAX_FEATURES = 10_000
MAX_PARAMETERS = 20_000_000  # a larger model is not copied for this
WEIGHTED = (nn.Linear, nn.Bilinear, nn.modules.conv._ConvNd, nn.RNNBase, nn.MultiheadAttention)
Call = tuple[nn.Module, Tensor | None]


def input_scale(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    predict: Predict | None = None,
    train_step: TrainStep | None = None,
) -> InputScale:
    """Measure the first batch as the loader gives it and as the first weights receive it.

    Raises:
        NotGiven: the inputs hold no numbers, only ids.
    """
    if any(nn.parameter.is_lazy(p) for p in model.parameters()):
        raise NotGiven("the layers of the model get their sizes from a first batch")
    batch = next(iter(train))
    inputs, _ = split(batch)
    floats = [part.detach() for part in tensors(inputs) if part.is_floating_point() and part.dim() > 1]
    if not floats:
        raise NotGiven("inputs are ids, which have no scale")
    raw = max(_size(part) for part in floats)
    small = sum(p.numel() for p in model.parameters()) <= MAX_PARAMETERS
    if raw > LARGE and train_step is not None and small:
        parts = copy.deepcopy((model, optimizer, loss_fn, train_step, batch))
        calls = _watch(parts[0], lambda: parts[3](parts[0], parts[4], parts[2], parts[1]))
    else:
        with torch.no_grad():
            calls = _watch(model, lambda: call(model, inputs, predict))
    received = _received(calls, max(float(part.abs().max()) for part in floats)) or floats
    first = next((i for i, (_, value) in enumerate(calls) if value is not None), len(calls))
    return InputScale(
        size=max(_size(part) for part in received),
        smallness=max(_smallness(part) for part in received),
        raw_size=raw,
        normalized=len(calls) > first + 1 and _is_norm(calls[first + 1][0]),
    )


def _watch(model: nn.Module, run: Callable[[], Any]) -> list[Call]:
    """Return the layers in the order they are called, with what those with weights of their own received."""
    calls: list[Call] = []

    def note(module: nn.Module, received: tuple[Any, ...]) -> None:
        value = next((part for part in tensors(received) if part.is_floating_point() and part.dim() > 1), None)
        weighted = _has_weights(module) and value is not None and not _is_norm(module)
        calls.append((module, value.detach() if weighted and value is not None else None))

    leaves = [module for module in model.modules() if _has_weights(module) or _is_norm(module)]
    hooks = [module.register_forward_pre_hook(note) for module in leaves]
    try:
        with untouched(model):
            _run(model, run)
    finally:
        for hook in hooks:
            hook.remove()
    return [made for i, made in enumerate(calls) if not _holds_next(calls, i)]


def _run(model: nn.Module, run: Callable[[], Any]) -> None:
    """Run in train mode, where batch normalization normalizes; in eval mode if that cannot be done."""
    try:
        model.train()
        run()
    except Exception:  # a batch of one in a batch normalization
        model.eval()
        try:
            run()
        except Exception as error:
            raise NotGiven(f"the model raised {type(error).__name__}: {error}") from error


def _has_weights(module: nn.Module) -> bool:
    own = module.parameters(recurse=False)
    return isinstance(module, WEIGHTED) or (not _is_norm(module) and any(p.dim() > 1 for p in own))


def _is_norm(module: nn.Module) -> bool:
    return "norm" in type(module).__name__.lower() and not any(True for _ in module.children())


def _holds_next(calls: list[Call], i: int) -> bool:
    """Tell whether a layer only passes the input on to one of its parts, as a model with a token of its own does."""
    module = calls[i][0]
    return i + 1 < len(calls) and any(part is calls[i + 1][0] for part in module.modules() if part is not module)


def _received(calls: list[Call], largest: float) -> list[Tensor]:
    """Return what the first layer received, and what others received that is the raw input."""
    values = [value for _, value in calls if value is not None and value.numel()]
    same = [value for value in values[1:] if abs(float(value.abs().max()) - largest) < 1e-6 * largest]
    return values[:1] + same


def _columns(values: Tensor) -> Tensor:
    flat = values.reshape(len(values), -1).float().nan_to_num(0, 0, 0)
    return flat[:, :: max(1, flat.shape[1] // MAX_FEATURES)]


def _size(values: Tensor) -> float:
    return float(_columns(values).abs().quantile(QUANTILE, dim=0).max())


def _smallness(values: Tensor) -> float:
    flat = _columns(values)
    used = flat[flat != 0]
    return float(used.square().mean().sqrt()) if used.numel() else 0.0
