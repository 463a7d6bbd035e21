"""Does an output see the input that it must predict?

Asked only where targets are found again among the inputs (the next token, the decoder's prompt, the next value of a
series), in eval mode. From one position on, inputs are exchanged for those of other examples: outputs before must not
move. An input that holds the target in place, given to a decoder, is found the same way.

Sources: input dependency, Karpathy's recipe (2019); the reference's causality check.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Loss, Predict, is_ids, output, rebuilt, tensors
from diagkit.evidence.wrong_thing import FutureSight
from diagkit.guard import evaluating
from diagkit.probes._asking import FEW, affordable, answer, class_axes, first_examples, outputs_of
from diagkit.probes._positions import best_shift, compared_ids, padding, place_in_inputs
from diagkit.subject import NotGiven

ROWS = 16
CUTS = (0.3, 0.5, 0.75)  # of the length, from where inputs are changed


def future_sight(
    model: nn.Module, train: Iterable[Any], loss_fn: Loss, task: str, predict: Predict | None = None
) -> FutureSight:
    """Exchange the inputs to come and measure how far earlier outputs move.

    Raises:
        NotGiven: no target is found among the inputs, or finding it there is the task.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if len(tensors(targets)) != 1 or len(tensors(targets)[0]) < 2:
        raise NotGiven("it needs one tensor of targets of at least two examples")
    target = tensors(targets)[0]
    if (place := place_in_inputs(inputs, target)) is None:
        raise NotGiven("targets do not stand among the inputs, so no output can see its own")
    number, shift, axis = place
    with evaluating(model):
        ahead = shift + _loss_shift(model, inputs, targets, loss_fn, axis, predict)
        if ahead < 0 or (ahead == 0 and number == 0 and task != "language_model"):
            raise NotGiven("targets repeat what is given on purpose (reconstruction, or an earlier position)")
        before = answer(model, inputs, predict)
        if before.dim() < 2 or before.shape[:2] != target.shape[:2]:
            before = _with_time(before, target)
        effects = []
        for cut in sorted(
            {max(ahead, 1, int(share * target.shape[axis])) for share in (CUTS if len(target) > FEW else CUTS[1:2])}
        ):
            late = answer(model, _exchanged(inputs, number, axis, slice(cut, None)), predict).reshape(before.shape)
            early = answer(model, _exchanged(inputs, number, axis, slice(0, cut)), predict).reshape(before.shape)
            effects.append([_effect(before, other, axis, cut - ahead) for other in (late, early)])
    future, present = (max(column) for column in zip(*effects, strict=True))
    return FutureSight(target.shape[axis], ahead, future, present)


def _loss_shift(
    model: nn.Module, inputs: Inputs, targets: Any, loss_fn: Loss, axis: int, predict: Predict | None
) -> int:
    outputs = outputs_of(model, inputs, predict)
    prediction, target = output(outputs).detach(), tensors(targets)[0]
    axes = class_axes(prediction, target)
    if not axes or target.dim() != 2:
        return 0
    wanted, asked = compared_ids(loss_fn, outputs, prediction, targets, axes[-1])
    return best_shift(wanted.reshape(target.shape), asked.reshape(target.shape), target, axis)


def _with_time(prediction: Tensor, target: Tensor) -> Tensor:
    """Return outputs as `(batch, time, ...)`.

    Raises:
        NotGiven: they have no time.
    """
    if prediction.shape[0] == target.shape[0] * target.shape[1]:
        return prediction.reshape(*target.shape[:2], -1)
    if prediction.dim() == 3 and prediction.shape[0] == target.shape[0] and prediction.shape[2] == target.shape[1]:
        return prediction.transpose(1, 2)
    raise NotGiven("outputs have no axis of positions")


def _exchanged(inputs: Inputs, number: int, axis: int, where: slice) -> Inputs:
    """Give each example the inputs of another one at some positions; padding stays where it is."""
    count = iter(range(len(tensors(inputs))))
    index = (slice(None),) * axis + (where,)

    def change(part: Tensor) -> Tensor:
        if next(count) != number:
            return part
        fill = padding(part) if is_ids(part) else None
        others = part.flip(1 - axis) if part.dim() > 1 else part
        keep = (part == fill) | (others == fill) if fill is not None else torch.zeros_like(part, dtype=torch.bool)
        changed = part.clone()
        changed[index] = torch.where(keep[index], part[index], others[index])
        return changed

    return rebuilt(inputs, change)


def _effect(before: Tensor, after: Tensor, axis: int, last: int) -> float:
    """Return the largest change of outputs up to a position, in standard deviations of all outputs."""
    index = (slice(None),) * axis + (slice(0, last + 1),)
    change = (after - before)[index].abs()
    return float(change.max() / before.std().clamp(min=1e-12)) if change.numel() else 0.0
