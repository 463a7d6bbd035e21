"""Does an example's output depend on its batch mates?

In eval mode every other example of a batch is exchanged, first only what it holds (its lengths, masks and padding
stay), then altogether. What another example's content moves was mixed by an operation on the wrong axis; what only
its lengths or masks move was masked for the wrong row. A softmax along the batch is looked for by running two batch
sizes.

Sources: input dependency by gradient, Karpathy's recipe (2019): each output may depend on its own input only; the
reference's prime dimensions.
"""

from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.overrides import TorchFunctionMode

from diagkit.batches import Inputs, Predict, is_ids, rebuilt, tensors
from diagkit.evidence.wrong_thing import BatchMixing
from diagkit.guard import evaluating
from diagkit.probes._asking import FEW, affordable, answer, first_examples, side_by_side
from diagkit.probes._positions import padding, place_in_inputs
from diagkit.subject import NotGiven

ROWS = 13  # a prime, so that a size which is another axis' by chance is unlikely
FEWER = 11
SOFTMAX = {"softmax", "log_softmax", "softmin"}


def batch_mixing(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> BatchMixing:
    """Exchange the mates of every other example and measure how far its output moves.

    Raises:
        NotGiven: examples cannot be told apart, or a module mixes them on purpose.
    """
    if any(isinstance(m, _BatchNorm) and m.running_mean is None for m in model.modules()):
        raise NotGiven("a batch normalization without running statistics mixes the batch on purpose")
    inputs, targets = first_examples(train, 2 * affordable(model, ROWS))
    if not side_by_side(inputs, targets) or len(tensors(targets)[0]) < 6:
        raise NotGiven("examples do not stand along the first axis, or are too few")
    rows = min(ROWS, len(tensors(targets)[0]) // 2)
    if any(part.dim() == 2 and part.shape[0] == part.shape[1] == len(tensors(targets)[0]) for part in tensors(inputs)):
        raise NotGiven("a square matrix over the examples is given, as for a graph")
    here, there = rebuilt(inputs, lambda part: part[:rows]), rebuilt(inputs, lambda part: part[rows : 2 * rows])
    with evaluating(model):
        before = _by_example(answer(model, here, predict), rows)
        effects = []
        if before.dim() == 2 and before.shape[1] == rows and _compares(model, here, rows, predict):
            raise NotGiven("outputs compare the examples of a batch with each other")
        for first, turn in ((0, 0), (1, 0), (0, 4), (1, 4))[: 2 if rows <= FEW else 4]:
            mates = torch.arange(rows) % 2 == first
            others = rebuilt(there, partial(torch.roll, shifts=turn, dims=0))
            contents = _by_example(answer(model, _merged(here, others, mates, _content), predict), rows)
            everything = _by_example(answer(model, _merged(here, others, mates, _all), predict), rows)
            effects.append(
                [
                    _effect(before, contents, ~mates),
                    _effect(before, everything, ~mates),
                    _effect(before, everything, mates),
                ]
            )
        content, whole, own = (max(column) for column in zip(*effects, strict=True))
        return BatchMixing(
            rows=rows,
            contents=content,
            everything=max(content, whole),
            own=own,
            softmax_over_batch=_softmax_over_batch(model, here, rows, predict),
            time_first=whole > 0 and _time_first(model, here, rebuilt(targets, lambda part: part[:rows]), predict),
        )


def _by_example(prediction: Tensor, rows: int) -> Tensor:
    """Return outputs as `(examples, ...)`.

    Raises:
        NotGiven: they cannot be told apart.
    """
    if prediction.dim() == 0 or prediction.shape[0] % rows:
        raise NotGiven("outputs do not stand one per example along the first axis")
    return prediction if len(prediction) == rows else prediction.reshape(rows, -1)


def _compares(model: nn.Module, inputs: Inputs, rows: int, predict: Predict | None) -> bool:
    """Return whether outputs are as many per example as there are examples."""
    fewer = answer(model, rebuilt(inputs, lambda part: part[: rows - 1]), predict)
    return fewer.dim() == 2 and fewer.shape[1] == rows - 1


def _effect(before: Tensor, after: Tensor, kept: Tensor) -> float:
    if before.shape != after.shape:  # outputs are as long as the longest example
        length = min(before.shape[1], after.shape[1])
        before, after = before[:, :length], after[:, :length]
    change = (after - before)[kept].abs().nan_to_num()
    return float(change.max() / before.nan_to_num().std().clamp(min=1e-12))


def _merged(here: Inputs, there: Inputs, mates: Tensor, change: Callable[[Tensor, Tensor], Tensor]) -> Inputs:
    """Return the batch with its mates changed into those of another."""
    others = iter(tensors(there))

    def merge(part: Tensor) -> Tensor:
        where = mates.to(part.device).reshape(-1, *[1] * (part.dim() - 1))
        return torch.where(where, change(part, next(others)), part)

    return rebuilt(here, merge)


def _all(part: Tensor, other: Tensor) -> Tensor:
    return other


def _content(part: Tensor, other: Tensor) -> Tensor:
    """Return the other example's content in the places where this one has any."""
    if part.dtype == torch.bool or (part.dim() < 2 and is_ids(part)) or bool(((part == 0) | (part == 1)).all()):
        return part
    if not is_ids(part):
        return torch.where(part == 0, part, torch.where(other == 0, part, other))
    fill = padding(torch.cat([part, other])) if part.dim() == 2 else None
    return other if fill is None else torch.where((part == fill) | (other == fill), part, other)


class Softmaxes(TorchFunctionMode):
    """Records the shape of every softmax's input and the axis it runs along."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[tuple[int, ...], int]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the function and note it."""
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in SOFTMAX and args and isinstance(args[0], Tensor):
            axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
            if isinstance(axis, int) and args[0].dim():
                self.seen.append((tuple(args[0].shape), axis % args[0].dim()))
        return func(*args, **kwargs)


def _softmax_over_batch(model: nn.Module, inputs: Inputs, rows: int, predict: Predict | None) -> bool:
    """Return whether a softmax runs along an axis that is as long as the batch, and the only one that is."""
    fewer = FEWER if rows == ROWS else rows - 1
    seen = []
    for count in (rows, fewer):
        with Softmaxes() as recorder:
            answer(model, rebuilt(inputs, itemgetter(slice(count))), predict)
        seen.append(recorder.seen)
    if len(seen[0]) != len(seen[1]):
        return False
    for (many, axis), (few, _) in zip(*seen, strict=True):
        grown = [place for place, (a, b) in enumerate(zip(many, few, strict=False)) if a != b]
        if grown == [axis] and (many[axis], few[axis]) == (rows, fewer):
            return True
    return False


def _time_first(model: nn.Module, inputs: Inputs, targets: Any, predict: Predict | None) -> bool:
    """Return whether examples stand along the second axis: exchanging them there leaves the others alone."""
    target = tensors(targets)[0]
    if target.dim() < 2 or any(part.dim() < 2 or part.shape[:2] != target.shape[:2] for part in tensors(inputs)):
        return False
    place = place_in_inputs(inputs, target)
    if place is not None and place[2] == 1:
        return False
    mates = torch.arange(target.shape[1]) % 2 == 0
    sources = torch.where(mates, 0, torch.arange(len(mates)))  # every other column becomes the first one
    before = answer(model, inputs, predict)
    after = answer(model, rebuilt(inputs, lambda part: part[:, sources]), predict)
    if before.dim() < 2 or before.shape[:2] != target.shape[:2]:
        return False
    change = (after - before)[:, ~mates].abs()
    return float(change.max() / before.std().clamp(min=1e-12)) < 1e-4
