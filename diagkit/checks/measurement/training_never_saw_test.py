"""Is the test set unknown to the training?

## Why it matters
A score on examples that were trained on measures memory. It is high exactly when the model is worst at everything else.

## Threshold
`MAX_SHARE = 0` of the test or validation inputs may occur in training, published in the tutorial; text is compared as
it is, and after folding case, spacing and punctuation; other inputs by their values. Where inputs have few values
they meet by chance: then the share may be `MAX_TIMES_CHANCE = 2` times what chance gives, and three standard errors.

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

PASS, three yes-or-no questions have only eight answers:

>>> print(training_never_saw_test(Overlap(400, 1.0, 1.0, by_chance=1.0)))
PASS: test inputs seen in training 1 <= 1 (100 % word for word; 100 % by chance)

## Fix
Deduplicate first, split then, by the unit that must not be shared (the source sentence, the patient, the day).

## Sources
- The tutorial's contamination check
"""

import math
from dataclasses import replace

from diagkit.evidence.measurement import Overlap
from diagkit.finding import Finding, at_most

MAX_SHARE = 0.0  # of the test inputs, published; see "Threshold"
MAX_TIMES_CHANCE = 2.0  # convention; see "Threshold"
NEGLIGIBLE = 1e-6  # chance below it is none

SPEAKS_FOR = ("contaminated_test",)


def training_never_saw_test(overlap: Overlap, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of test inputs that occur in training."""
    finding = at_most(
        overlap.normalized, max(max_share, _chance(overlap)), what=f"{overlap.split} inputs seen in training"
    )
    sample = f", such as {overlap.sample!r}" if overlap.sample and not finding else ""
    chance = f"; {overlap.by_chance:.0%} by chance" if overlap.by_chance > NEGLIGIBLE else ""
    text = f"{finding.text} ({overlap.exact:.0%} word for word{chance})".replace("%", " %")
    return replace(finding, text=text + sample).means("contaminated_test")


def _chance(overlap: Overlap) -> float:
    """Return the largest share that chance explains."""
    share = min(MAX_TIMES_CHANCE * overlap.by_chance, 1.0)
    if share < NEGLIGIBLE:
        return 0.0
    return min(share + 3 * math.sqrt(max(share * (1 - share), 1 / overlap.rows) / overlap.rows), 1.0)
