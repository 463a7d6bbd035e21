"""How many test inputs does training already contain?

Text is compared as it is, and again after folding case, spacing and punctuation; other inputs by their values.
"""

import re
import unicodedata

from diagkit.evidence import Overlap
from diagkit.examples import Batches


def overlap(train: Batches, test: Batches) -> Overlap:
    """Compare the inputs of both splits, whatever their order and batches."""
    seen, asked = train.examples.fingerprints(), test.examples.fingerprints()
    known = set(seen)
    is_text = bool(test.examples.texts)
    folded = {normalized(source) for source in known} if is_text else known
    exact = [source in known for source in asked]
    loose = [(normalized(source) if is_text else source) in folded for source in asked]
    sample = asked[loose.index(True)] if any(loose) else ""
    return Overlap(len(asked), sum(exact) / len(asked), sum(loose) / len(asked), sample if is_text else "")


def normalized(text: str) -> str:
    """Fold case, spacing and punctuation.

    >>> normalized(" Go  on, TOM! ")
    'go on tom'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded)) or folded.strip()
