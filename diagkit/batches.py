"""Batches as anyone's loader gives them, seen in one way.

A batch is `(inputs, targets)` or `{"input": ..., "target": ...}`; inputs are a tensor, or a tuple, list or dict of
tensors. A *sample* is a list of batches taken from a loader once, so that every probe sees the same examples.
"""

import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn

Inputs = Any  # Tensor, or a tuple, list or dict of tensors
Predict = Callable[[nn.Module, Inputs], Any]
Loss = Callable[[Any, Any], Tensor]

MAX_ROWS = 4000  # of a sample; a share of them is then known to 1.6 % (two standard errors)
MAX_BYTES = 256 * 2**20  # of a sample


class UnknownBatch(Exception):  # noqa: N818 - it reads as the reason it is
    """A batch of another structure than the two that are known."""


def split(batch: Any) -> tuple[Inputs, Any]:
    """Return inputs and targets of a batch.

    Raises:
        UnknownBatch: it is neither a pair nor a dict with `input` and `target`.
    """
    if isinstance(batch, Mapping) and {"input", "target"} <= set(batch):
        return batch["input"], batch["target"]
    if isinstance(batch, tuple | list) and len(batch) == 2:
        return batch[0], batch[1]
    what = f"a dict with the keys {sorted(map(str, batch))}" if isinstance(batch, Mapping) else _describe(batch)
    raise UnknownBatch(f"a batch must be (input, target) or a dict with 'input' and 'target', got {what}")


def _describe(batch: Any) -> str:
    size = f" of {len(batch)}" if isinstance(batch, tuple | list) else ""
    return f"a {type(batch).__name__}{size}"


def tensors(inputs: Inputs) -> list[Tensor]:
    """Return all tensors of inputs, outputs or targets, in order."""
    if isinstance(inputs, Tensor):
        return [inputs]
    if isinstance(inputs, Mapping):
        return [tensor for value in inputs.values() for tensor in tensors(value)]
    if isinstance(inputs, tuple | list):
        return [tensor for value in inputs for tensor in tensors(value)]
    return []


def rebuilt(inputs: Inputs, change: Callable[[Tensor], Tensor]) -> Inputs:
    """Return inputs of the same structure with every tensor replaced by `change(tensor)`."""
    if isinstance(inputs, Tensor):
        return change(inputs)
    if isinstance(inputs, Mapping):
        return {key: rebuilt(value, change) for key, value in inputs.items()}
    if isinstance(inputs, tuple | list):
        return type(inputs)(rebuilt(value, change) for value in inputs)
    return inputs


def rows(inputs: Inputs) -> int:
    """Return the number of examples: the length of the first axis."""
    return len(tensors(inputs)[0])


def call(model: nn.Module, inputs: Inputs, predict: Predict | None = None) -> Any:
    """Return the model's outputs for a copy of the inputs, which a model may change.

    Without `predict`, a tuple or list is spread over the arguments of `forward`, unless that takes one alone, and so is
    a dict whose keys are all names of them.
    """
    inputs = rebuilt(inputs, Tensor.clone)
    if predict is not None:
        return predict(model, inputs)
    if isinstance(inputs, tuple | list):
        return model(inputs) if len(inputs) > 1 and _takes_one(model) else model(*inputs)
    if isinstance(inputs, Mapping) and set(inputs) <= set(inspect.signature(model.forward).parameters):
        return model(**inputs)
    return model(inputs)


def _takes_one(model: nn.Module) -> bool:
    kinds = [parameter.kind for parameter in inspect.signature(model.forward).parameters.values()]
    return kinds == [inspect.Parameter.POSITIONAL_OR_KEYWORD]


def output(outputs: Any) -> Tensor:
    """Return the first tensor of what a model gives: its prediction, by the field's habit."""
    return tensors(outputs)[0]


def sample(loader: Iterable[Any], max_rows: int = MAX_ROWS) -> list[Any]:
    """Take batches from the start of a loader, at most about `max_rows` examples and `MAX_BYTES`."""
    taken: list[Any] = []
    count = size = 0
    for batch in loader:
        taken.append(batch)
        parts = tensors(batch)
        count += len(parts[0]) if parts and parts[0].dim() else 1
        size += sum(part.numel() * part.element_size() for part in parts)
        if count >= max_rows or size >= MAX_BYTES:
            break
    return taken


def pairs(batches: Iterable[Any]) -> Iterator[tuple[Inputs, Any]]:
    """Yield inputs and targets of every batch."""
    return (split(batch) for batch in batches)


def is_ids(tensor: Tensor) -> bool:
    """Return whether a tensor holds whole numbers, as ids do."""
    return not (tensor.is_floating_point() or tensor.is_complex() or tensor.dtype == torch.bool)


def fingerprints(batches: Iterable[Any]) -> list[str]:
    """Return one string per example, equal exactly for equal inputs; padding zeros at the end of ids do not count.

    Batches that know how their examples read (`diagkit.examples.Batches`) say it themselves.
    """
    known = getattr(batches, "examples", None)
    if known is not None:
        return list(known.fingerprints())
    return [mark for inputs, _ in pairs(batches) for mark in _row_marks(tensors(inputs))]


def _row_marks(parts: list[Tensor]) -> list[str]:
    marks = []
    for row in range(len(parts[0])):
        digest = hashlib.sha256()
        for part in parts:
            value = part[row].detach().cpu()
            if is_ids(value) and value.dim() == 1:
                used = value.nonzero()
                value = value[: int(used[-1]) + 1] if len(used) else value[:0]
            digest.update(f"{value.dtype}{tuple(value.shape)}".encode())
            digest.update(value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b"")
        marks.append(digest.hexdigest()[:16])
    return marks


def matrix(batches: Iterable[Any]) -> tuple[Tensor, Tensor] | None:
    """Return float inputs as `(examples, features)` and their targets `(examples, ...)`, both double.

    None where inputs are ids, differ in shape from batch to batch, or have no tensor targets of one shape.
    """
    xs, ys = [], []
    for inputs, targets in pairs(batches):
        parts = [part for part in tensors(inputs) if part.is_floating_point()]
        if not parts or len(parts) != len(tensors(inputs)) or not isinstance(targets, Tensor):
            return None
        if targets.dim() == 0 or any(part.dim() == 0 for part in parts):
            return None
        xs.append(torch.cat([part.detach().reshape(len(part), -1).double().cpu() for part in parts], 1))
        ys.append(targets.detach().double().cpu())
    if not xs or len({x.shape[1] for x in xs}) > 1 or len({y.shape[1:] for y in ys}) > 1:
        return None
    return torch.cat(xs), torch.cat(ys)
