"""Is the test set unknown to the training?

## Why it matters
A score on examples that were trained on measures memory. It is high exactly when the model is worst at everything else.

## Threshold
`MAX_SHARE = 0` of the test inputs may occur in training, published in the tutorial; text is compared as it is, and
after folding case, spacing and punctuation; other inputs by their values.

## Cost
One hash per example.

## Examples
PASS:

>>> from diagkit.evidence.measurement import Overlap
>>> print(training_never_saw_test(Overlap(400, 0.0, 0.0)))
PASS: test inputs seen in training 0 <= 0 (0 % word for word)

FAIL, half of the test set was trained on:

>>> print(training_never_saw_test(Overlap(400, 0.5, 0.51, "Ana sees 12 old cats")))
FAIL: test inputs seen in training 0.51 > 0 (50 % word for word), such as 'Ana sees 12 old cats'

## Fix
Deduplicate first, split then, by the unit that must not be shared (the source sentence, the patient, the day).

## Sources
- The tutorial's contamination check
"""

from dataclasses import replace

from diagkit.evidence.measurement import Overlap
from diagkit.finding import Finding, at_most

MAX_SHARE = 0.0  # of the test inputs, published; see "Threshold"

SPEAKS_FOR = ("contaminated_test",)


def training_never_saw_test(overlap: Overlap, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of test inputs that occur in training."""
    finding = at_most(overlap.normalized, max_share, what="test inputs seen in training")
    sample = f", such as {overlap.sample!r}" if overlap.sample and not finding else ""
    return replace(
        finding, text=f"{finding.text} ({overlap.exact:.0%} word for word){sample}".replace("%", " %")
    ).means("contaminated_test")
