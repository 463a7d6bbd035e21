"""Does the model learn more once its regularization is taken away?

## Why it matters
Weight decay or dropout that outweighs the data keeps every prediction near the mean; it looks like a model that is too
small.

## Threshold
100 steps without weight decay and dropout must not bring the validation loss `MAX_ADVANTAGE = 1.5` times as far down
from the untrained one as the run and 100 more steps with it, where that is at least `MIN_FALL = 0.1` of the untrained
loss (convention). Memorizing does not count, since the loss is that of validation. A run that halves it passes unasked.

## Cost
Nothing for a run that went well; otherwise 400 training steps on copies, at most 24 seconds.

## Examples
PASS:

>>> from diagkit.evidence.learning import RegularizationTrial
>>> print(regularization_leaves_room(RegularizationTrial(100, 0.01, 0.1, 0.69, 0.55, 0.55, 0.54)))
PASS: validation loss falls without regularization 1.07 <= 1.5 times as far

FAIL:

>>> print(regularization_leaves_room(RegularizationTrial(100, 3.0, 0.0, 2.3, 2.2, 2.2, 0.9)))
FAIL: validation loss falls without regularization 14 > 1.5 times as far (2.2 to 0.9; weight decay 3, dropout 0)

## Fix
Divide weight decay by ten (0.01 to 0.1 is usual for AdamW, 1e-4 for SGD), dropout by two (0.1 to 0.5 is usual).

## Sources
- DeepCrime (ISSTA 2021): the operators RAW, RCD and RCW
"""

import math
from dataclasses import replace

from diagkit.evidence.learning import RegularizationTrial
from diagkit.finding import Finding, at_most, skipped

MAX_ADVANTAGE = 1.5  # times the fall; see "Threshold"
MIN_FALL = 0.1  # of the untrained loss

SPEAKS_FOR = ("excessive_regularization",)


def regularization_leaves_room(
    regularization_trial: RegularizationTrial, *, max_advantage: float = MAX_ADVANTAGE, min_fall: float = MIN_FALL
) -> Finding:
    """Compare how far the validation loss falls with and without regularization."""
    r = regularization_trial
    if not math.isfinite(r.untrained) or not math.isfinite(r.without):
        return skipped("the trial without regularization gave no figure")
    kept = [its for its in (r.trained, r.kept) if math.isfinite(its)]
    fall, free = r.untrained - min(kept, default=math.inf), r.untrained - r.without
    if free < min_fall * abs(r.untrained):
        free = 0.0
    advantage = free / fall if fall > 0 else math.inf if free > 0 else 0.0
    what = "validation loss falls without regularization"
    finding = at_most(advantage, max_advantage, what=what, unit="times as far")
    if finding:
        return finding
    figures = f"({min(kept, default=math.nan):.3g} to {r.without:.3g}"
    text = f"{finding.text} {figures}; weight decay {r.weight_decay:g}, dropout {r.dropout:g})"
    return replace(finding, text=text).means("excessive_regularization")
