"""Do held-out windows of a series hold a part of a training window?

Windows that are cut first and split at random overlap: half of a test window has been seen in training, one or some
positions earlier. The end and the start of every held-out window are looked up in training.

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
MAX_LENGTH = 32  # values that are compared of a longer half
MAX_LOOKUPS = 400_000  # stretches of training that are kept
MAX_ROWS = 4000
MAX_VALUES = 4_000_000  # of the training windows that are looked through
MIN_DISTINCT, MIN_LEVELS = 0.2, 64  # of the values, or so many: a series of few levels repeats itself


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
    enough = min(MIN_DISTINCT * min(len(some), len(rows)), MIN_LEVELS)
    return rows if len(some.unique()) >= enough else None


def _overlap(known: Tensor, asked: Tensor, split: str) -> WindowOverlap:
    """Look the end and the start of each window up in windows that are shifted by at most half of a window."""
    length, half = known.shape[1], known.shape[1] // 2
    size, shifts = min(half, MAX_LENGTH), range(1, length - half + 1)
    known = known[: max(1, MAX_LOOKUPS // len(shifts))]
    earlier = {mark for shift in shifts for mark in _marks(known, length - size - shift, size) if mark}
    later = {mark for shift in shifts for mark in _marks(known, shift, size) if mark}
    ends, starts = _marks(asked, length - size, size), _marks(asked, 0, size)
    seen = [end in earlier or start in later for end, start in zip(ends, starts, strict=True)]
    return WindowOverlap(len(seen), split, sum(seen) / max(len(seen), 1), half)


def _marks(windows: Tensor, start: int, length: int) -> list[bytes]:
    """Return what identifies each stretch; nothing for one whose values hardly change."""
    parts = windows[:, start : start + length].float()
    changes = (parts[:, 1:] != parts[:, :-1]).reshape(len(parts), length - 1, -1).any(2).double().mean(1) > 0.5
    rows = parts.reshape(len(parts), -1).contiguous().numpy()
    return [row.tobytes() if changing else b"" for row, changing in zip(rows, changes.tolist(), strict=True)]
