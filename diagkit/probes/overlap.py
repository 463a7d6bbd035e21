"""How many test inputs does training already contain?

Text is compared as it is, and again after folding case, spacing and punctuation; other inputs by their values.
"""

from collections.abc import Iterable
from typing import Any

from diagkit.batches import fingerprints
from diagkit.evidence.measurement import Overlap
from diagkit.text import normalized


def overlap(train: Iterable[Any], test: Iterable[Any]) -> Overlap:
    """Compare the inputs of both splits, whatever their order and batches."""
    known, asked = set(fingerprints(train)), fingerprints(test)
    is_text = bool(getattr(getattr(test, "examples", None), "texts", ()))
    folded = {normalized(source) for source in known} if is_text else known
    exact = [source in known for source in asked]
    loose = [(normalized(source) if is_text else source) in folded for source in asked]
    sample = asked[loose.index(True)] if any(loose) else ""
    return Overlap(len(asked), sum(exact) / len(asked), sum(loose) / len(asked), sample if is_text else "")
