"""Do the running statistics of normalization layers follow the data?

Training batches pass through the trained model twice with dropout off: normalized by the running statistics, as in
evaluation, and by their own, as in training. Whatever comes into each layer in the second case is compared with what
the layer remembers. Any module counts that has `running_mean` and `running_var`; one that keeps other numbers is
judged by how far its outputs in the two modes are apart.

Source: Ioffe and Szegedy, Batch normalization (2015), section 3.1.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, pairs, rows, tensors
from diagkit.evidence.environment import NormalizationStatistics
from diagkit.guard import untouched
from diagkit.subject import NotGiven

MAX_BATCHES = 20
Sums = dict[str, list[Tensor]]  # per channel: count, sum, sum of squares


def normalization_statistics(
    model: nn.Module, trained_model: nn.Module, train: Iterable[Any], loss_fn: Loss, predict: Predict | None = None
) -> NormalizationStatistics:
    """Compare what every normalization layer remembers with what comes in.

    Raises:
        NotGiven: no layer keeps statistics, or the batches cannot pass.
    """
    layers = {name: module for name, module in trained_model.named_modules() if _keeps_statistics(module)}
    if not layers:
        raise NotGiven("no layer keeps running statistics")
    batches = [batch for batch in islice(pairs(train), MAX_BATCHES) if rows(batch[0]) > 1]
    if not batches:
        raise NotGiven("batches of one example have no statistics")
    remembered = {name: (m.running_mean.clone(), m.running_var.clone()) for name, m in layers.items() if _is_usual(m)}
    sums: Sums = {}
    apart: dict[str, float] = {}
    try:
        with_running = _mean_loss(trained_model, batches, loss_fn, predict, [])
        with _gathering(layers, sums, apart):
            with_batch = _mean_loss(trained_model, batches, loss_fn, predict, list(layers.values()))
        untrained = _mean_loss(model, batches, loss_fn, predict, [m for m in model.modules() if _keeps_statistics(m)])
    except Exception as error:
        raise NotGiven(f"training batches cannot pass: {type(error).__name__}: {error}") from error
    distances = {name: _distance(*remembered[name], *its) for name, its in sums.items()}
    distances |= {name: (distance, 0.0) for name, distance in apart.items()}
    return NormalizationStatistics(
        layers=list(distances),
        shifts=[shift for shift, _ in distances.values()],
        scales=[scale for _, scale in distances.values()],
        loss_with_running=with_running,
        loss_with_batch=with_batch,
        loss_untrained=untrained,
    )


def _is_usual(module: nn.Module) -> bool:
    mean, variance = getattr(module, "running_mean", None), getattr(module, "running_var", None)
    return isinstance(mean, Tensor) and isinstance(variance, Tensor) and mean.dim() == 1


def _keeps_statistics(module: nn.Module) -> bool:
    own = [buffer for _, buffer in module.named_buffers(recurse=False)]
    kept = any(buffer.is_floating_point() and buffer.dim() == 1 for buffer in own)
    return _is_usual(module) or (kept and not any(True for _ in module.children()))


@torch.no_grad()
def _mean_loss(
    model: nn.Module, batches: list[Any], loss_fn: Loss, predict: Predict | None, in_train_mode: list[nn.Module]
) -> float:
    with untouched(model):
        model.eval()
        for module in in_train_mode:
            module.training = True  # not its children: dropout stays off
        losses = [float(loss_fn(call(model, inputs, predict), targets)) for inputs, targets in batches]
    return sum(losses) / len(losses)


@contextmanager
def _gathering(layers: dict[str, nn.Module], sums: Sums, apart: dict[str, float]) -> Iterator[None]:
    hooks = []
    for name, module in layers.items():
        if _is_usual(module):
            hooks.append(module.register_forward_pre_hook(lambda m, inputs, name=name: _add(sums, name, m, inputs)))
        else:
            hooks.append(module.register_forward_hook(lambda m, i, o, name=name: _compare(apart, name, m, i, o)))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _compare(apart: dict[str, float], name: str, module: nn.Module, inputs: Any, outputs: Any) -> None:
    """Keep the largest distance of the outputs in both modes, in their standard deviation."""
    module.training = False
    other, mine = (tensors(its)[0].detach().double() for its in (module.forward(*inputs), outputs))
    module.training = True
    distance = float((mine - other).pow(2).mean().sqrt() / mine.std().clamp(min=1e-9))
    apart[name] = max(apart.get(name, 0.0), distance)


def _add(sums: Sums, name: str, module: Any, inputs: Any) -> None:
    values, channels = tensors(inputs)[0].detach().double(), len(module.running_mean)
    axis = next((axis for axis in (1, -1) if values.dim() > 1 and values.shape[axis] == channels), None)
    if axis is None:
        return
    flat = values.transpose(0, axis).reshape(channels, -1)
    new = [torch.tensor(float(flat.shape[1])), flat.sum(1), (flat**2).sum(1)]
    sums[name] = [old + more for old, more in zip(sums[name], new, strict=True)] if name in sums else new


def _distance(mean: Tensor, variance: Tensor, count: Tensor, total: Tensor, squares: Tensor) -> tuple[float, float]:
    """Return medians over channels: of the shift in standard deviations and of |ln| of the variances' ratio."""
    its_mean = total / count
    its_variance = (squares / count - its_mean**2).clamp(min=1e-12)
    alive = its_variance > 1e-8  # a dead channel has no spread to measure by
    if not alive.any():
        return 0.0, 0.0
    shift = ((mean.double() - its_mean).abs() / its_variance.sqrt())[alive].median()
    ratio = (variance.double().clamp(min=1e-12) / its_variance)[alive].log().abs().median()
    return float(shift), float(ratio)
