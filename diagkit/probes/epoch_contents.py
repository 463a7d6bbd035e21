"""How many different examples, and how many different batches, does one epoch hold?

Source: silent errors of data loading, such as workers that are seeded alike, TrainCheck (OSDI 2025).
"""

import copy
import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

from diagkit.batches import MAX_ROWS, fingerprints, pairs, tensors
from diagkit.evidence.data import EpochContents
from diagkit.guard import generators
from diagkit.subject import NotGiven
from diagkit.tables import bits

DEEP = True
NEARLY_ALL = 0.9


def epoch_contents(train_loader: Iterable[Any]) -> EpochContents:
    """Read up to `MAX_ROWS` examples of one epoch and count what repeats.

    Raises:
        NotGiven: a batch holds no tensors with one row for each example.
    """
    taken: list[tuple[Any, Any]] = []
    rows = 0
    with generators():
        for inputs, targets in pairs(itertools.islice(train_loader, MAX_ROWS)):
            parts = [*tensors(inputs), *tensors(targets)]
            if not parts or any(not part.dim() or len(part) != len(parts[0]) for part in parts):
                raise NotGiven("the rows of a batch are not its examples")
            taken.append((inputs, targets))
            rows += len(parts[0])
            if rows >= MAX_ROWS:
                break
        same, share = _draws(train_loader)
    if not rows:
        raise NotGiven("the loader gave no example")
    batches = [fingerprints([([inputs, targets], targets)]) for inputs, targets in taken]
    seen = Counter(mark for batch in batches for mark in batch)
    usual, _ = Counter(seen.values()).most_common(1)[0]
    alike = sum(count == usual for count in seen.values()) / len(seen)
    return EpochContents(
        rows=rows,
        distinct=len(seen),
        distinct_inputs=len(set(fingerprints(taken))),
        batches=len(batches),
        distinct_batches=len({tuple(sorted(batch)) for batch in batches}),
        usual_repeats=usual if alike >= NEARLY_ALL else 0,
        bits=bits(taken),
        same_draws=same,
        drawn_share=share,
    )


def _draws(loader: Iterable[Any]) -> tuple[bool, float]:
    """Ask the loader's sampler for two epochs: are they the same mixed order, and what share of the data is drawn?"""
    sampler, dataset = getattr(loader, "batch_sampler", None), getattr(loader, "dataset", None)
    try:
        if sampler is None or dataset is None:
            return False, 1.0
        sampler, size = copy.deepcopy(sampler), len(dataset)
        first, second = ([i for batch in sampler for i in batch] for _ in range(2))
        mixed = first != sorted(first)
        return mixed and first == second, len({*first, *second}) / size
    except Exception:  # a stream, or a loader of another kind
        return False, 1.0
