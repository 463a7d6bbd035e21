"""Did the training run long enough?

## Why it matters
A training that is stopped while its loss still falls steeply says nothing about the model, and the next comparison is
won by whatever learns faster, not better.

## Threshold
`MAX_GAIN = 0.08` of the untrained loss by at most 100 more steps, on training and on validation examples, where more
than `MIN_LEFT = 0.2` of it is left. Measured on 67 healthy programs, of those with so much left: at most 0.025;
stopped after one epoch: 0.23.

## Cost
At most 100 training steps on a copy, three seconds.

## Examples
PASS:

>>> from diagkit.evidence.fit import Continuation
>>> done = Continuation(450, 100, 2.31, 0.10, 0.09, 0.02, 0.01, 1.0)
>>> print(training_ran_long_enough(done))
PASS: 100 more steps lower the loss by 0.00433 <= 0.08 of the untrained loss

FAIL, one epoch:

>>> print(training_ran_long_enough(Continuation(30, 30, 2.31, 1.92, 1.38, 1.91, 1.37, 1.0)))
FAIL: 30 more steps lower the loss by 0.234 > 0.08 of the untrained loss (1.92 to 1.38)

PASS, a schedule that has come to its end would not go on either:

>>> print(training_ran_long_enough(Continuation(30, 30, 2.31, 1.92, 1.91, 1.91, 1.90, 0.01)))
PASS: 30 more steps lower the loss by 0.00433 <= 0.08 of the untrained loss

## Fix
More epochs; watch the validation loss and stop when it has not fallen for some of them.

## Sources
- Karpathy, A recipe for training neural networks (2019): leave it training
"""

from dataclasses import replace

from diagkit.evidence.fit import Continuation
from diagkit.faults import vocabulary
from diagkit.finding import Finding, at_most, passed, skipped

MAX_GAIN = 0.08  # of the untrained loss; see "Threshold"
MIN_LEFT = 0.2  # of the untrained loss; see "Threshold"

SPEAKS_FOR = ("undertrained",)
FIT = ("overfitting", "undertrained", "underfitting")
EXPLAINED_BY = (
    *(name for name, fault in vocabulary().items() if fault.question in ("data", "learning")),
    *(name for name, fault in vocabulary().items() if fault.question == "wrong_thing" and name not in FIT),
    "training_in_eval_mode",
    "stale_normalization",
    "weights_not_loaded",
    "vocabulary_rebuilt",
)


def training_ran_long_enough(
    continuation: Continuation, *, max_gain: float = MAX_GAIN, min_left: float = MIN_LEFT
) -> Finding:
    """Judge what some more steps gain."""
    its = continuation
    scale = max(abs(its.untrained), abs(its.untrained - its.before))
    if not scale > 0:
        return skipped(f"the untrained loss is {scale:g}, so there is no scale for a gain")
    gain = min(its.before - its.after, its.train_before - its.train_after) / scale
    what = f"{its.more} more steps lower the loss by"
    finding = at_most(gain, max_gain, what=what, unit="of the untrained loss")
    if finding:
        return finding
    left = its.before / scale
    if left < min_left:
        return passed(f"{what} {gain:.3g} of the untrained loss, of which {left:.3g} is left")
    text = f"{finding.text} ({its.before:.3g} to {its.after:.3g})"
    return replace(finding, text=text).suggests("undertrained", unless=EXPLAINED_BY)
