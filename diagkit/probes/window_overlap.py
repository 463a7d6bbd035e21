"""Do held-out windows of a series hold a part of a training window?

Windows that are cut first and split at random overlap: half of a test window has been seen in training, one or some
positions earlier. For every held-out window its last half is looked up among all stretches of that length in training.

Source: Roberts et al., Cross-validation strategies for data with temporal structure (2017).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import pairs, tensors
from diagkit.evidence.measurement import WindowOverlap
from diagkit.subject import NotGiven

MIN_LENGTH = 4  # values in a row that do not agree by chance
MAX_ROWS = 4000
MAX_VALUES = 4_000_000  # of the training windows that are looked through
MIN_DISTINCT = 0.2  # of the values: a series of few levels repeats itself


def window_overlap(
    train: Iterable[Any], val: Iterable[Any] | None = None, test: Iterable[Any] | None = None
) -> WindowOverlap:
    """Count the held-out windows of which one half occurs in training, of the split that has more.

    Raises:
        NotGiven: the inputs are not windows of one length, with numbers in them.
    """
    held_out = {name: batches for name, batches in (("test", test), ("val", val)) if batches is not None}
    known = _windows(train)
    if known is None or not held_out:
        raise NotGiven("inputs must be windows of numbers of one length, and a held-out split given")
    found = []
    for axis in range(1, known.dim()):
        for name, batches in held_out.items():
            asked = _windows(batches)
            if asked is not None and asked.shape[1:] == known.shape[1:] and known.shape[axis] >= 2 * MIN_LENGTH:
                found.append(_overlap(known.movedim(axis, 1), asked.movedim(axis, 1), name))
    if not found:
        raise NotGiven(f"windows are shorter than {2 * MIN_LENGTH} or differ in shape from split to split")
    return max(found, key=lambda its: its.share)


def _windows(batches: Iterable[Any]) -> Tensor | None:
    """Return `(rows, time, features)` or `(rows, features, time)`, or `(rows, time)`; None where that is not it."""
    parts = [tensors(inputs) for inputs, _ in pairs(batches)]
    if not parts or any(len(part) != 1 or part[0].dim() not in (2, 3) for part in parts):
        return None
    first = [part[0] for part in parts]
    if not first[0].is_floating_point() or len({one.shape[1:] for one in first}) > 1:
        return None
    rows = torch.cat(first).detach().cpu().double()[:MAX_ROWS]
    rows = rows[: max(1, MAX_VALUES // max(1, rows[0].numel()))]
    some = rows[:200].reshape(-1)
    return rows if len(some.unique()) >= MIN_DISTINCT * min(len(some), len(rows)) else None


def _overlap(known: Tensor, asked: Tensor, split: str) -> WindowOverlap:
    """Look the last and the first half of each window up at every position but its own."""
    length, half = known.shape[1], known.shape[1] // 2
    shifts = range(1, length - half + 1)
    earlier = {mark for shift in shifts for mark in _marks(known, shift - 1, half)}
    later = {mark for shift in shifts for mark in _marks(known, shift, half)}
    ends, starts = _marks(asked, length - half, half), _marks(asked, 0, half)
    seen = [
        (mark is not None and mark in earlier) or (other is not None and other in later)
        for mark, other in zip(ends, starts, strict=True)
    ]
    return WindowOverlap(len(seen), split, sum(seen) / max(len(seen), 1), half)


def _marks(windows: Tensor, start: int, length: int) -> list[bytes | None]:
    """Return what identifies each stretch; None for one whose values hardly change."""
    parts = windows[:, start : start + length].reshape(len(windows), -1).float().contiguous().numpy()
    return [part.tobytes() if len({*part.tolist()}) > length // 2 else None for part in parts]
