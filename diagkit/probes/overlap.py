"""How many test inputs does training already contain?

Text is compared as it is, and again after folding case, spacing and punctuation; other inputs by their values. Inputs
made of few values are equal by chance: as often as the values of each column meet by themselves, and for ids as often
as a training input has a double in training."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from diagkit.batches import fingerprints, is_ids, matrix, pairs, tensors
from diagkit.evidence.measurement import Overlap
from diagkit.subject import NotGiven
from diagkit.text import normalized

MAX_COLUMNS = 500  # more columns do not meet by chance either


def overlap(
    train: Iterable[Any],
    val: Iterable[Any] | None = None,
    test: Iterable[Any] | None = None,
    train_loader: Iterable[Any] | None = None,
) -> Overlap:
    """Compare the inputs of the splits, whatever their order and batches, and tell of the worse one.

    Raises:
        NotGiven: there is neither a test nor a validation set.
    """
    held_out = {name: batches for name, batches in (("test", test), ("val", val)) if batches is not None}
    if not held_out:
        raise NotGiven("neither test nor val is given")
    for batches in (train, *held_out.values()):
        if not _have_rows(batches):
            raise NotGiven("the tensors of a batch do not have one row per example")
    if hasattr(train_loader, "examples"):  # all of a recipe's examples are at hand, not only a sample
        train = train_loader or train
    known = fingerprints(train)
    chance = _by_chance(train, known)
    found = [_compare(known, batches, name, chance) for name, batches in held_out.items()]
    return max(found, key=lambda its: its.normalized)


def _have_rows(batches: Iterable[Any]) -> bool:
    """Return whether every example has its own row in every tensor; ids in bags with offsets have none."""
    if getattr(batches, "examples", None) is not None:
        return True
    found = [{len(part) if part.dim() else 0 for part in tensors(inputs)} for inputs, _ in pairs(batches)]
    return all(len(lengths) == 1 and 0 not in lengths for lengths in found)


def _compare(known: Sequence[str], batches: Iterable[Any], split: str, chance: float) -> Overlap:
    seen, asked = set(known), fingerprints(batches)
    is_text = bool(getattr(getattr(batches, "examples", None), "texts", ()))
    folded = {normalized(source) for source in seen} if is_text else seen
    exact = [source in seen for source in asked]
    loose = [(normalized(source) if is_text else source) in folded for source in asked]
    sample = asked[loose.index(True)] if is_text and any(loose) else ""
    rows = max(len(asked), 1)
    return Overlap(len(asked), sum(exact) / rows, sum(loose) / rows, sample, split, chance)


def _by_chance(train: Iterable[Any], known: Sequence[str]) -> float:
    """Return the share of new inputs that training holds by chance."""
    if getattr(train, "examples", None) is not None:
        return 0.0
    parts = [part for inputs, _ in pairs(train) for part in tensors(inputs)]
    if any(is_ids(part) for part in parts):
        return 1 - len(set(known)) / max(len(known), 1)
    table = matrix(train)
    if table is None:
        return 0.0
    rows = len(table[0])
    shares = (
        torch.unique(column, return_counts=True)[1].double() / rows
        for column in table[0][:, :: _stride(table[0].shape[1])].T
    )
    meet = float(torch.stack([((share**2).sum() - 1 / rows).clamp(min=0) for share in shares]).prod())
    return 1 - (1 - meet) ** rows


def _stride(columns: int) -> int:
    return max(1, columns // MAX_COLUMNS)
