"""Where in the inputs do the targets stand, with which target is each output compared, and where is padding?"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import Inputs, Loss, is_ids, tensors
from diagkit.probes._asking import loss_of, with_prediction

SHIFTS = (1, 0, 2, -1, 3, -2)  # in the order in which they are preferred
MIN_SHARE = 0.98  # of the targets that must be found in the inputs, or
MIN_CLEAR = (0.75, 0.2)  # at least that share, and by so much more than at any other shift
VOID = -100  # what PyTorch's losses ignore


def along(values: Tensor, shift: int, axis: int) -> tuple[slice, ...]:
    """Return the index of the places `t` for which `t + shift` exists, too."""
    size = values.shape[axis]
    where = slice(max(0, -shift), size - max(0, shift))
    return tuple(where if place == axis else slice(None) for place in range(axis + 1))


def shifted_pair(here: Tensor, there: Tensor, shift: int, axis: int) -> tuple[Tensor, Tensor]:
    """Return `here[t]` and `there[t + shift]` for every `t` that has both."""
    return here[along(here, shift, axis)], there[along(there, -shift, axis)]


def place_in_inputs(inputs: Inputs, target: Tensor) -> tuple[int, int, int] | None:
    """Find targets among the inputs: `target[t] == inputs[number][t + shift]` along an axis.

    Returns:
        Number of the input tensor, shift and axis; None where targets are not found.
    """
    if target.dim() < 2:
        return None
    for axis in (1, 0):
        for number, part in enumerate(tensors(inputs)):
            shares = {shift: _found(part, target, shift, axis) for shift in SHIFTS}
            shift = max(shares, key=lambda each: shares[each])
            second = sorted(shares.values())[-2]
            if shares[shift] >= MIN_SHARE or (shares[shift] >= MIN_CLEAR[0] and shares[shift] - second >= MIN_CLEAR[1]):
                return number, shift, axis
    return None


def _found(part: Tensor, target: Tensor, shift: int, axis: int) -> float:
    """Return the share of targets that stand `shift` places later in an input; 0 where it cannot be said."""
    if is_ids(part) and is_ids(target) and part.shape == target.shape and part.shape[axis] > abs(shift) + 1:
        asked, given = shifted_pair(target, part, shift, axis)
        ends = padding(target) if target.dim() == 2 else None
        counted = (asked != VOID) if ends is None else (asked != VOID) & (asked != ends)
        return _share(asked, given, counted)
    if part.is_floating_point() and target.is_floating_point() and part.shape[:2] == target.shape[:2] and shift > 0:
        if part.shape[axis] <= shift + 1:
            return 0.0
        asked, given = shifted_pair(target.flatten(2) if target.dim() > 2 else target[..., None], part, shift, axis)
        given = given.flatten(2) if given.dim() > 2 else given[..., None]
        columns = [_share(asked[..., 0], given[..., k], torch.ones_like(asked[..., 0])) for k in range(given.shape[-1])]
        return max(columns)
    return 0.0


def _share(asked: Tensor, given: Tensor, counted: Tensor) -> float:
    counted = counted.bool()
    if int(counted.sum()) < 8 or bool((asked[counted] == asked[counted][0]).all()):
        return 0.0
    same = asked == given if is_ids(asked) else torch.isclose(asked, given.to(asked.dtype), rtol=1e-4, atol=1e-6)
    return float(same[counted].float().mean())


def padding(ids: Tensor) -> int | None:
    """Return the id that rows `(batch, time)` of different length end in, and that never stands inside; or None."""
    if ids.dim() != 2 or not is_ids(ids) or ids.shape[1] < 3 or len(ids) < 2:
        return None
    last = int(ids[:, -1].mode().values)
    here = ids == last
    from_the_end = here.flip(1).long().cumprod(1).sum(1)  # (batch,)
    inside = here.sum(1) > from_the_end
    several = from_the_end[from_the_end > 0].unique()
    return last if not bool(inside.any()) and len(several) > 1 else None


def compared_ids(loss_fn: Loss, outputs: Any, prediction: Tensor, targets: Any, axis: int) -> tuple[Tensor, Tensor]:
    """Return with which class every output is compared, and which outputs the loss asks about at all.

    The gradient of a loss on classes is lowest at the class that it wants.

    Returns:
        Two tensors of the shape of the targets: class ids, and whether there is any gradient.
    """
    given = prediction.detach().clone().requires_grad_()
    with torch.enable_grad():
        loss = loss_of(loss_fn, with_prediction(outputs, given), targets).sum()
        gradient = torch.autograd.grad(loss, given, allow_unused=True)[0] if loss.requires_grad else None
    if gradient is None:
        gradient = torch.zeros_like(given)
    return gradient.argmin(axis), (gradient != 0).any(axis)


def best_shift(wanted: Tensor, asked: Tensor, target: Tensor, axis: int) -> int:
    """Return by how many places the target that an output is compared with stands later; 0 unless it is clear."""
    shares = {}
    for shift in (0, 1, -1, 2, -2):
        if target.shape[axis] <= abs(shift) + 1:
            continue
        (its, there), (counted, _) = shifted_pair(wanted, target, shift, axis), shifted_pair(asked, target, shift, axis)
        shares[shift] = float((its == there)[counted].float().mean()) if bool(counted.any()) else 0.0
    best = max(shares, key=lambda shift: shares[shift])
    return best if shares[best] >= MIN_SHARE and shares[0] < MIN_SHARE else 0


def runs_at_the_end(rows: Sequence[Sequence[int]], value: int) -> list[int]:
    """Return for every row how often a value stands at its end."""
    lengths = []
    for row in rows:
        count = 0
        while count < len(row) and row[-1 - count] == value:
            count += 1
        lengths.append(count)
    return lengths
