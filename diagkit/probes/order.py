"""Does the order in which training reads its examples follow the targets?

Where it does, the targets of one batch are alike: the share of their spread that lies between batches says how much,
corrected for what batches of mixed examples have by chance.

Source: the intraclass correlation, Fisher (1925); Slavv, 37 reasons (2017), on shuffling.
"""

import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import MAX_ROWS, is_ids, pairs
from diagkit.evidence.data import Order
from diagkit.guard import generators
from diagkit.subject import NotGiven

MIN_BATCHES = 4
MIN_SIZE = 4  # examples per batch
COMMON = 0.05  # of the validation examples


def order(train_loader: Iterable[Any], task: str, val: Iterable[Any] | None = None) -> Order:
    """Compare targets within and between the batches of one epoch, in reading order.

    Raises:
        NotGiven: there is not one label or value for each example, or there are too few batches to compare.
    """
    if task in ("seq2seq", "language_model"):
        raise NotGiven("there is not one target for each example")
    with generators():
        groups = _targets(itertools.islice(train_loader, MAX_ROWS))
    full = [group for group in groups if len(group) >= MIN_SIZE]
    if len(full) < MIN_BATCHES:
        raise NotGiven(f"{len(full)} batches of {MIN_SIZE} examples or more are too few to compare")
    values = torch.cat(full)
    labels = task in ("classification", "binary") or is_ids(values)
    columns = torch.nn.functional.one_hot(*_numbered(values)).double() if labels else values.double()[:, None]
    seen = set(torch.cat(groups).tolist())
    others = Counter(value for group in _targets(val or []) for value in group.tolist()) if labels else Counter()
    common = [label for label, count in others.items() if count >= COMMON * sum(others.values())]
    return Order(
        batches=len(full),
        rows=len(values),
        sameness=_sameness(columns, [len(group) for group in full]),
        missing_labels=sum(label not in seen for label in common),
    )


def _targets(batches: Iterable[Any]) -> list[Tensor]:
    """Return the targets of every batch, up to `MAX_ROWS` in all."""
    groups: list[Tensor] = []
    for _, targets in pairs(batches):
        if not isinstance(targets, Tensor) or not targets.dim() or targets.numel() != len(targets):
            raise NotGiven("there is not one target for each example")
        groups.append(targets.detach().cpu().reshape(-1))
        if sum(map(len, groups)) >= MAX_ROWS:
            break
    return groups


def _numbered(values: Tensor) -> tuple[Tensor, int]:
    found, numbers = torch.unique(values, return_inverse=True)
    return numbers, len(found)


def _sameness(columns: Tensor, sizes: list[int]) -> float:
    """Return the share of the variance between groups, above chance; 0 where there is no variance."""
    centred = columns - columns.mean(0)
    total = float(centred.square().sum())
    if total <= 1e-12:
        return 0.0
    between = sum(float(group.mean(0).square().sum()) * len(group) for group in centred.split(sizes))
    chance = (len(sizes) - 1) / (len(columns) - 1)
    return (between / total - chance) / (1 - chance)
