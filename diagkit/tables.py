"""Examples as plain tables and texts, for simple learners that need no training of anyone's model.

Inputs come in two views: what they hold, place by place, and what they hold wherever it stands (spectra, means and
spreads along their axes). Targets become numbers that correlate: one column per class, or the ranks of values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from diagkit.batches import is_ids, pairs, tensors

Matrix = NDArray[np.float64]

MAX_ROWS = 1000
PLACES = 16  # along each spatial axis
MAX_COLUMNS = 256  # per view
MAX_IDS = 200  # the commonest
MAX_CLASSES = 60
TARGETS = 3  # principal components of targets with many numbers


@dataclass(frozen=True)
class Raw:
    """Inputs and targets of a sample, one tensor for each part with the examples on the first axis."""

    inputs: list[Tensor]
    targets: Tensor

    def __len__(self) -> int:
        return len(self.targets)


def read(batches: Iterable[Any], max_rows: int = MAX_ROWS, seed: int = 0) -> Raw | None:
    """Return a random sample of the examples; None where parts have no common first axis or change their shape."""
    taken = list(pairs(batches))
    parts = [[part.detach().cpu() for part in tensors(inputs)] for inputs, _ in taken]
    if not taken or not all(isinstance(targets, Tensor) and targets.dim() for _, targets in taken):
        return None
    targets = [targets.detach().cpu() for _, targets in taken]
    if not parts[0] or any(
        not part.dim() or part.is_complex() or len(part) != len(its)
        for row, its in zip(parts, targets, strict=True)
        for part in row
    ):
        return None
    joined = [_join([row[i] for row in parts]) for i in range(len(parts[0]))]
    wanted = _join(targets)
    if wanted is None or any(part is None for part in joined):
        return None
    order = torch.randperm(len(wanted), generator=torch.Generator().manual_seed(seed))[:max_rows]
    return Raw([part[order] for part in joined if part is not None], wanted[order])


def _join(parts: list[Tensor]) -> Tensor | None:
    """Put batches together; sequences of different lengths are filled up, ids with -1 and numbers with 0."""
    if len({part.shape[1:] for part in parts}) > 1:
        if len({part.shape[2:] for part in parts}) > 1:
            return None
        width, fill = max(part.shape[1] for part in parts), -1 if is_ids(parts[0]) else 0
        ends = [(0, 0) * (part.dim() - 2) + (0, width - part.shape[1]) for part in parts]
        parts = [torch.nn.functional.pad(part, end, value=fill) for part, end in zip(parts, ends, strict=True)]
    return torch.cat(parts)


def by_place(raw: Raw, like: Raw) -> Matrix:
    """Return what the inputs hold at each place; `like` says which ids count."""
    return _columns(
        [_ids(part, its) if is_ids(part) else _pooled(part) for part, its in zip(raw.inputs, like.inputs, strict=True)]
    )


def by_content(raw: Raw) -> Matrix | None:
    """Return what the inputs hold wherever it stands; None where they have no axis to lose."""
    views = [view for part in raw.inputs if not is_ids(part) and part.dim() > 2 for view in _anywhere(part.float())]
    return _columns(views) if views else None


def _columns(parts: list[Tensor]) -> Matrix:
    flat = [part.reshape(len(part), -1).double().nan_to_num(0, 0, 0) for part in parts]
    table = torch.cat([_narrow(part) for part in flat], 1).numpy()
    made: Matrix = table
    return made


def _narrow(columns: Tensor) -> Tensor:
    """Mix many columns into fewer, at random but always in the same way; distances stay about what they were."""
    if columns.shape[1] <= MAX_COLUMNS:
        return columns
    generator = torch.Generator().manual_seed(0)
    return columns @ torch.randn(columns.shape[1], MAX_COLUMNS, generator=generator, dtype=columns.dtype)


def _pooled(part: Tensor) -> Tensor:
    part = part.float()
    if part.dim() >= 4:
        flat = part.reshape(len(part), -1, *part.shape[-2:])
        return torch.nn.functional.adaptive_avg_pool2d(flat, (min(PLACES, flat.shape[-2]), min(PLACES, flat.shape[-1])))
    return part


def _anywhere(part: Tensor) -> list[Tensor]:
    """Return spectra along the last axes, and means and spreads along each axis after the first."""
    views = [part.mean(axis) for axis in range(1, part.dim())]
    views += [part.std(axis, correction=0) for axis in range(1, part.dim())]
    if part.dim() >= 4:
        return [*views, torch.fft.rfft2(part).abs()[..., :PLACES, :PLACES]]
    return [*views, torch.fft.rfft(part, dim=1).abs()[:, :PLACES], torch.fft.rfft(part, dim=2).abs()[..., :PLACES]]


def _ids(part: Tensor, like: Tensor) -> Tensor:
    """Count each of the commonest ids in every row, and keep the ids of short rows as they are."""
    found, counts = torch.unique(like, return_counts=True)
    common = found[counts.argsort(descending=True)[:MAX_IDS]]
    flat = part.reshape(len(part), -1)
    bag = torch.stack([(flat == one).sum(1) for one in common], 1)
    return torch.cat([bag, flat], 1) if 1 < flat.shape[1] <= PLACES else bag


def target_columns(raw: Raw, like: Raw, task: str) -> Matrix | None:
    """Return `(rows, columns)`, numbers that a linear learner can aim at; None where there are too many classes."""
    wanted = raw.targets.reshape(len(raw), -1)
    labels = (
        is_ids(wanted) or wanted.dtype == torch.bool or (task in ("binary", "classification") and wanted.shape[1] == 1)
    )
    if labels:
        found = torch.unique(like.targets)
        found = found[found >= 0]
        if not 2 <= len(found) <= MAX_CLASSES:
            return None
        shares: Matrix = torch.stack([(wanted == one).double().mean(1) for one in found], 1).numpy()
        return shares
    values = wanted.double().nan_to_num(0, 0, 0)
    if values.shape[1] > TARGETS:
        centre = like.targets.reshape(len(like), -1).double().nan_to_num(0, 0, 0)
        torch.manual_seed(0)  # the same directions for every part
        directions = torch.pca_lowrank(centre[:, :4096], q=min(TARGETS, *centre[:, :4096].shape))[2]
        values = (values[:, :4096] - centre[:, :4096].mean(0)) @ directions
    ranks: Matrix = values.argsort(0).argsort(0).double().numpy()
    return ranks


def bits(batches: Iterable[Any], max_rows: int = MAX_ROWS) -> float:
    """Return how many bits an input could hold, given how many different values occur in each of its places."""
    raw = read(batches, max_rows)
    flat = [] if raw is None else [part.reshape(len(part), -1)[:, :500] for part in raw.inputs]
    return float(sum(np.log2(len(torch.unique(column))) for part in flat for column in part.T))


def sides(batches: Iterable[Any], max_rows: int = 5000) -> list[tuple[str, str]]:
    """Return source and target of token sequences as text, one sign for each id; empty where they are none.

    Zeros at the end of a row and negative ids are padding.
    """
    found: list[tuple[str, str]] = []
    for inputs, targets in pairs(batches):
        both = [*tensors(inputs)[:1], *tensors(targets)]
        if len(both) != 2 or not all(is_ids(part) and part.dim() == 2 for part in both):
            return []
        found += list(zip(*([_text(row) for row in part.tolist()] for part in both), strict=True))
        if len(found) >= max_rows:
            break
    return found


def _text(ids: list[int]) -> str:
    while ids and ids[-1] <= 0:
        ids = ids[:-1]
    return " ".join(chr(0x20000 + one % 40_000) for one in ids if one >= 0)  # letters that have no capitals
