"""Which training examples have exactly the same input, and do those agree on the label?

Sources: batch sanity; the mutation operator "make output classes overlap", DeepCrime (2021).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from diagkit.batches import fingerprints, pairs, tensors
from diagkit.evidence.data import EqualInputs
from diagkit.subject import NotGiven
from diagkit.tables import bits


def equal_inputs(train: Iterable[Any], task: str) -> EqualInputs:
    """Group the examples by input.

    Raises:
        NotGiven: the inputs hold no tensors, or do not share their first axis with the targets.
    """
    examples = list(pairs(train))
    labels = [label for inputs, targets in examples for label in _labels(inputs, targets)]
    if not labels or any(len(part) != len(targets) for inputs, targets in examples for part in tensors(inputs)):
        raise NotGiven("inputs must be tensors with one row for each target")
    marks = fingerprints(train)
    seen = Counter(marks)
    under = defaultdict(set)
    for mark, label in zip(marks, labels, strict=True):
        under[mark].add(label)
    one_label = task in ("classification", "binary") and all(len(label) == 1 for label in labels)
    return EqualInputs(
        rows=len(marks),
        distinct=len(seen) / len(marks),
        repeated=sum(n for n in seen.values() if n > 1) / len(marks),
        conflicting=sum(len(under[mark]) > 1 for mark in marks) / len(marks) if one_label else float("nan"),
        commonest=max(seen.values()) / len(marks),
        bits=bits(examples),
    )


def _labels(inputs: Any, targets: Any) -> list[tuple[float, ...]]:
    parts = tensors(targets)
    if not tensors(inputs) or len(parts) != 1 or not parts[0].dim():
        return []
    flat = parts[0].detach().reshape(len(parts[0]), -1)
    return [tuple(row[:2]) for row in flat[:, :2].tolist()]
