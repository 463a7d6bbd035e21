"""Does the training loss go down?

## Why it matters
A model that cannot lower its own training loss has a fault in the update (rate, gradient, frozen weights) or in the
data, and the later questions have no answer yet.

## Threshold
`MIN_DROP = 0.05` nats between the first twentieth of the steps and the last fifth, published in the tutorial for the
first and the last epoch; a loss that starts small must fall by `MIN_SHARE = 0.02` of it (convention, since losses have
units of their own).

## Cost
Reads the logged losses.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(loss_goes_down(History([2.30, 1.60, 1.15, 0.9], [0.1] * 4, 0.1, [2, 4], [1.5, 1.0])))
PASS: training loss fell by 1.4 >= 0.046 (2.300 to 0.900)

FAIL, a frozen model stays at ln(10):

>>> print(loss_goes_down(History([2.30, 2.30, 2.30, 2.30], [0.0] * 4, 0.0, [2, 4], [2.3, 2.3])))
FAIL: training loss fell by 0 < 0.046 (2.300 to 2.300)

SKIP:

>>> print(loss_goes_down(History([2.30], [0.0], 0.0, [], [])))
SKIP: only 1 steps were taken

## Fix
Overfit one batch first. If that works, raise the rate step by step; if not, look for a detached graph, a frozen layer
or a missing `optimizer.step()`.

## Sources
- The tutorial's loss check (first minus last training loss at least 0.05)
- Karpathy, A recipe for training neural networks (2019)
"""

import math
from dataclasses import replace

from diagkit.checks.learning.rate_suits_the_task import EXPLAINED_BY
from diagkit.evidence.training import History
from diagkit.finding import Finding, at_least, skipped

MIN_DROP = 0.05  # nats, published; see "Threshold"
MIN_SHARE = 0.02  # of the first losses, where that is less
FIRST, LAST = 20, 5  # one twentieth and one fifth of the steps

SPEAKS_FOR = ("learning_rate_too_low", "learning_rate_too_high")


def loss_goes_down(history: History, *, min_drop: float = MIN_DROP, min_share: float = MIN_SHARE) -> Finding:
    """Compare the mean loss of the first steps with that of the last."""
    losses = history.losses
    if len(losses) < 2:
        return skipped(f"only {len(losses)} steps were taken")
    first = _mean(losses[: max(1, len(losses) // FIRST)])
    last = _mean(losses[-max(1, len(losses) // LAST) :])
    if not math.isfinite(first - last):
        return skipped("the loss is not finite; `loss_stays_finite` asks why")
    finding = at_least(first - last, min(min_drop, min_share * abs(first)), what="training loss fell by")
    likely = SPEAKS_FOR if last <= first else SPEAKS_FOR[::-1]  # a loss that rose went too fast
    return replace(finding, text=f"{finding.text} ({first:.3f} to {last:.3f})").suggests(*likely, unless=EXPLAINED_BY)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
