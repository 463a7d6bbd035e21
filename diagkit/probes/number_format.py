"""What do the number formats lose?

Half-precision weights take real steps on a copy: an update smaller than the distance to the next number is lost, and so
is a gradient below the smallest one. Inputs and targets far from zero beside their spread lose their last digits in any
format.

Source: Micikevicius et al., Mixed precision training (2018): weight updates and small gradients vanish in fp16.
"""

import copy
import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, UnknownBatch, call, is_ids, pairs, rebuilt, split, tensors
from diagkit.evidence.learning import NumberFormat
from diagkit.guard import generators
from diagkit.rehearsal import plain_step
from diagkit.subject import NotGiven, TrainStep

STEPS = 3
BATCHES = 8
HALF = (torch.float16, torch.bfloat16)


def number_format(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> NumberFormat:
    """Measure the data always, the weights where some are in half precision."""
    batches = list(islice(train, BATCHES))
    half = [p for p in model.parameters() if p.requires_grad and p.dtype in HALF]
    updates = gradients = 0.0
    if half:
        try:
            step = train_step or plain_step(predict)
            updates = _lost_updates(*copy.deepcopy((model, optimizer, loss_fn, step)), batches)
            gradients = _lost_gradients(*copy.deepcopy((model, loss_fn)), batches[0], predict)
        except Exception as error:  # anyone's step
            raise NotGiven(f"the training step raised {type(error).__name__}: {error}") from error
    formats = sorted({str(p.dtype).removeprefix("torch.") for p in model.parameters() if p.requires_grad})
    try:
        coarsest, where, its_format = max(_coarseness(batches), default=(0.0, "", ""))
    except UnknownBatch as error:
        raise NotGiven(str(error)) from error
    return NumberFormat(formats, updates, gradients, coarsest, where, its_format)


def _lost_updates(
    model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, step: TrainStep, batches: list[Any]
) -> float:
    """Return the share of weights with a gradient that no step moved, at a rate above zero."""
    model.train()
    half = [p for p in model.parameters() if p.requires_grad and p.dtype in HALF]
    before = [p.detach().clone() for p in half]
    touched = [torch.zeros_like(p, dtype=torch.bool) for p in half]

    def note(*_: Any) -> None:
        for its, p in zip(touched, half, strict=True):
            if p.grad is not None:
                its |= p.grad != 0

    optimizer.register_step_pre_hook(note)
    with generators():
        for batch in batches[:STEPS]:
            step(model, copy.deepcopy(batch), loss_fn, optimizer)
    if not any(group["lr"] > 0 for group in optimizer.param_groups):
        return 0.0
    still = sum(int(((p == b) & its).sum()) for p, b, its in zip(half, before, touched, strict=True))
    return still / max(sum(int(its.sum()) for its in touched), 1)


def _lost_gradients(model: nn.Module, loss_fn: Loss, batch: Any, predict: Predict | None) -> float:
    """Return the share of elements whose gradient is zero in half precision and not in single precision."""
    inputs, targets = split(batch)
    narrow = _gradients(model.eval(), inputs, targets, loss_fn, predict)
    wide_inputs = rebuilt(inputs, lambda t: t.float() if t.dtype in HALF else t)
    wide_targets = rebuilt(targets, lambda t: t.float() if t.dtype in HALF else t)
    try:
        wide = _gradients(model.float(), wide_inputs, wide_targets, loss_fn, predict)
    except Exception:  # a model that casts by itself
        return 0.0
    lost = sum(int(((n == 0) & (w != 0)).sum()) for n, w in zip(narrow, wide, strict=True))
    return lost / max(sum(int((w != 0).sum()) for w in wide), 1)


def _gradients(model: nn.Module, inputs: Any, targets: Any, loss_fn: Loss, predict: Predict | None) -> list[Tensor]:
    parameters = [p for p in model.parameters() if p.requires_grad]
    loss = loss_fn(call(model, inputs, predict), copy.deepcopy(targets))
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    return [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, found, strict=True)]


def _coarseness(batches: list[Any]) -> Iterable[tuple[float, str, str]]:
    """Yield for every input and target the distance of neighbouring numbers over the spread, of its worst column."""
    columns: dict[str, list[Tensor]] = {}
    for inputs, targets in pairs(batches):
        for kind, values in (("input", inputs), ("target", targets)):
            for number, t in enumerate(tensors(values)):
                if not is_ids(t) and t.is_floating_point() and t.dim() <= 2:
                    columns.setdefault(f"{kind} {number}", []).append(t.detach().reshape(len(t) if t.dim() else 1, -1))
    for name, parts in columns.items():
        if len({p.shape[1] for p in parts}) > 1:
            continue
        values = torch.cat(parts)
        wide = values.double()
        spread = wide.std(0, unbiased=False)
        steps = torch.finfo(values.dtype).eps * wide.mean(0).abs()
        ratio = torch.where(spread > 0, steps / spread.clamp(min=1e-300), 0.0).nan_to_num(0.0, 0.0)
        if ratio.numel() and math.isfinite(worst := float(ratio.max())):
            yield worst, name, str(values.dtype).removeprefix("torch.")
