"""Are updates small beside the weights they change, and not too small?

## Why it matters
An update as large as the weight itself throws away what was learnt; one of a millionth of it needs a million steps.

## Threshold
The median matrix between `MIN_LOG = -5.5` and `MAX_LOG = -0.3` (log10 of the standard deviations), around the usual -3.
Published: -3, Karpathy. Measured in the first updates of 66 healthy programs: -4.0 to -0.7. Only a run that did not
bring its loss down by `ENOUGH = 0.5` fails: a figure alone harms nobody.

## Cost
Ten training steps on a copy.

## Examples
PASS:

>>> from diagkit.evidence.learning import UpdateRatios
>>> from diagkit.evidence.training import History
>>> print(updates_are_small(UpdateRatios(["w"], [-2.1]), History([2.3, 1.0], [0.1] * 2, 0.1, [2], [1.0])))
PASS: log10 of update over weight -2.1 <= -0.3

FAIL:

>>> print(updates_are_small(UpdateRatios(["w"], [0.9]), History([0.7, 0.9], [0.8] * 2, 0.8, [2], [1.0])))
FAIL: log10 of update over weight 0.9 > -0.3

FAIL:

>>> print(updates_are_small(UpdateRatios(["w"], [-6.5]), History([0.7, 0.7], [1e-7] * 2, 1e-7, [2], [1.0])))
FAIL: log10 of update over weight -6.5 < -5.5

## Fix
Change the rate by factors of ten until the figure is near -3.

## Sources
- Karpathy, neural networks zero to hero, lecture 4; CS231n, neural networks part 3: ratio of weights to updates
"""

from diagkit.checks.learning.rate_suits_the_task import EXPLAINED_BY
from diagkit.evidence.learning import UpdateRatios
from diagkit.evidence.training import History
from diagkit.finding import Finding, at_least, at_most, passed

MIN_LOG = -5.5  # log10; see "Threshold"
MAX_LOG = -0.3
ENOUGH = 0.5  # of the first losses

SPEAKS_FOR = ("learning_rate_too_low", "learning_rate_too_high")


def updates_are_small(
    update_ratios: UpdateRatios, history: History, *, min_log: float = MIN_LOG, max_log: float = MAX_LOG
) -> Finding:
    """Judge the middle of the matrices, where the run did not do well."""
    what = "log10 of update over weight"
    middle = update_ratios.median()
    high, low = at_most(middle, max_log, what=what), at_least(middle, min_log, what=what)
    if high and low:
        return high
    part = max(1, len(history.losses) // 20)
    first, last = sum(history.losses[:part]) / part, sum(history.losses[-part:]) / part
    if last <= ENOUGH * first:
        return passed(f"{what} {middle:.3g} is unusual, but the loss fell from {first:.3g} to {last:.3g}")
    finding = low.suggests("learning_rate_too_low", unless=EXPLAINED_BY) if high else high
    return finding.suggests("learning_rate_too_high", unless=EXPLAINED_BY) if not high else finding
