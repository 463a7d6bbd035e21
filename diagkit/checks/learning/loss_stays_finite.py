"""Does the loss stay a number?

## Why it matters
One NaN in the loss makes every weight NaN with the next update; nothing after it means anything.

## Threshold
None: one NaN or infinity is enough. Where the losses before it grew above `GROWN = 3` times the first ones, the updates
have diverged; a NaN out of ordinary losses arises in an operation (a logarithm or root of zero, a division).

## Cost
Reads the logged losses.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(loss_stays_finite(History([2.3, 1.6, 1.1], [0.1] * 3, 0.1, [3], [1.5])))
PASS: all 3 losses are finite

FAIL, out of nothing:

>>> nan = float("nan")
>>> print(loss_stays_finite(History([2.3, 1.6, nan], [0.1] * 3, 0.1, [3], [nan])))
FAIL: the loss is nan at step 3 of 3, after 1.6

FAIL, diverged:

>>> print(loss_stays_finite(History([2.3, 160.0, 1e30, nan], [0.1] * 4, 0.1, [4], [nan])))
FAIL: the loss is nan at step 4 of 4, after 1e+30

## Fix
After growth: divide the rate by ten, clip the gradient. Out of nothing: add an epsilon inside of logarithms, roots and
divisions, or use the loss that takes logits.

## Sources
- PyTorch documentation of `torch.autograd.detect_anomaly`
"""

import math

from diagkit.evidence.training import History
from diagkit.finding import Finding, failed, passed

GROWN = 3.0  # times the first losses; see "Threshold"

SPEAKS_FOR = ("nonfinite_values", "learning_rate_too_high", "exploding_gradients")
EXPLAINED_BY = (
    "nonfinite_inputs",
    "unnormalized_inputs",
    "missing_zero_grad",
    "gradient_scale",
    "bad_initialization",
    "low_precision",
    "wrong_sign",
)


def loss_stays_finite(history: History) -> Finding:
    """Find the first loss that is no number, and how it came about."""
    losses = history.losses
    bad = [number for number, its in enumerate(losses) if not math.isfinite(its)]
    if not bad:
        return passed(f"all {len(losses)} losses are finite")
    first = bad[0]
    before = losses[first - 1] if first else math.nan
    finding = failed(f"the loss is {losses[first]} at step {first + 1} of {len(losses)}, after {before:.3g}")
    grown = max(map(abs, losses[max(0, first - 5) : first]), default=0.0)
    start = max(map(abs, losses[: max(1, first // 20)]), default=0.0) if first else 0.0
    if first and grown > GROWN * start:
        return finding.suggests(
            "learning_rate_too_high", "exploding_gradients", unless=(*EXPLAINED_BY, "nonfinite_values")
        )
    return finding.suggests("nonfinite_values", unless=(*EXPLAINED_BY, "learning_rate_too_high", "exploding_gradients"))
