"""Do targets stand as many positions after their inputs in training as in validation?

For every offset it is counted how much an input tells about the target so many positions later: mutual information for
ids, the share of variance between classes for numbers. The offset that tells most should be the same in both.

Source: the reference's check of the alignment of a corpus, turned to positions.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import is_ids, tensors
from diagkit.evidence.wrong_thing import TargetOffsets
from diagkit.probes._asking import parts_of
from diagkit.probes._positions import VOID, shifted_pair
from diagkit.subject import NotGiven

OFFSETS = (0, 1, -1, 2, -2)
MAX_POSITIONS = 40_000
MAX_CELLS = 200_000


def target_offsets(train: Iterable[Any], val: Iterable[Any]) -> TargetOffsets:
    """Compare the offset that tells most in training and in validation.

    Raises:
        NotGiven: there is not one target per input position, or they are too few.
    """
    learned, asked = (_told(batches) for batches in (train, val))
    best = [max(OFFSETS, key=lambda offset: told[offset]) for told in (learned, asked)]
    gains = [told[best[i]] / max(told[best[1 - i]], 1e-12) for i, told in enumerate((learned, asked))]
    return TargetOffsets(*best, *gains)


def _told(batches: Iterable[Any]) -> dict[int, float]:
    """Return what inputs tell about targets by offset."""
    parts: dict[int, list[tuple[Tensor, Tensor]]] = {offset: [] for offset in OFFSETS}
    count = 0
    for batch in batches:
        inputs, targets = parts_of(batch)
        part, target = tensors(inputs)[0], tensors(targets)[0] if tensors(targets) else torch.zeros(0)
        if target.dim() != 2 or not is_ids(target) or part.shape[:2] != target.shape or part.shape[1] < 6:
            raise NotGiven("there is not one class per input position")
        for offset in OFFSETS:
            given, asked = shifted_pair(part.cpu(), target.cpu(), offset, 1)
            kept = asked != VOID
            parts[offset].append((given[kept], asked[kept]))
        count += target.numel()
        if count > MAX_POSITIONS:
            break
    if count < 500:
        raise NotGiven("there are too few positions")
    return {offset: _tells(*map(torch.cat, zip(*pieces, strict=True))) for offset, pieces in parts.items()}


def _tells(given: Tensor, asked: Tensor) -> float:
    kinds, classes = asked.unique(return_inverse=True)
    if len(kinds) < 2:
        return 0.0
    if is_ids(given) and given.dim() == 1:
        values, ids = given.unique(return_inverse=True)
        if len(values) * len(kinds) > MAX_CELLS:
            raise NotGiven("there are too many ids to count pairs")
        table = torch.bincount(ids * len(kinds) + classes, minlength=len(values) * len(kinds)).double()
        table = table.reshape(len(values), -1) / table.sum()
        chance = table.sum(1, keepdim=True) * table.sum(0, keepdim=True)
        return float((table * (table / chance.clamp(min=1e-300)).clamp(min=1e-300).log()).sum())
    if not given.is_floating_point():
        raise NotGiven("inputs are neither ids nor numbers per position")
    values = given.double().reshape(len(given), -1)
    hot = torch.nn.functional.one_hot(classes, len(kinds)).double()
    means = (hot.T @ values) / hot.sum(0)[:, None]
    spread = (hot.mean(0)[:, None] * (means - values.mean(0)) ** 2).sum(0)
    return float((spread / values.var(0, unbiased=False).clamp(min=1e-12)).max())
