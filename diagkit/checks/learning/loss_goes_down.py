"""Does the training loss go down?

## Why it matters
A model that cannot lower its own training loss has a fault in the update (rate, gradient, frozen weights) or in the
data, and the later questions have no answer yet.

## Threshold
`MIN_DROP = 0.05` nats between the steps up to the first evaluation and those up to the last, published in the
tutorial for the first and the last epoch.

## Cost
Reads the logged losses.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(loss_goes_down(History([2.30, 1.60, 1.15, 0.9], [0.1] * 4, 0.1, [2, 4], [1.5, 1.0])))
PASS: training loss fell by 0.925 >= 0.05 (1.950 to 1.025)

FAIL, a frozen model stays at ln(10):

>>> print(loss_goes_down(History([2.30, 2.30, 2.30, 2.30], [0.0] * 4, 0.0, [2, 4], [2.3, 2.3])))
FAIL: training loss fell by 0 < 0.05 (2.300 to 2.300)

## Fix
Overfit one batch first. If that works, raise the rate step by step; if not, look for a detached graph, a frozen layer or
a missing `optimizer.step()`.

## Sources
- The tutorial's loss check (first minus last training loss at least 0.05)
- Karpathy, A recipe for training neural networks (2019)
"""

from dataclasses import replace

from diagkit.evidence.training import History
from diagkit.finding import Finding, at_least

MIN_DROP = 0.05  # nats, published; see "Threshold"

SPEAKS_FOR = ("learning_rate_too_low", "learning_rate_too_high")
EXPLAINED_BY = (
    "zero_learning_rate",
    "endless_warmup",
    "frozen_parameters",
    "parameters_not_in_optimizer",
    "detached_graph",
    "missing_optimizer_step",
    "misaligned_targets",
)


def loss_goes_down(history: History, *, min_drop: float = MIN_DROP) -> Finding:
    """Compare the mean loss before the first evaluation with that before the last."""
    first, last = history.early_loss(), history.final_loss()
    finding = at_least(first - last, min_drop, what="training loss fell by")
    return replace(finding, text=f"{finding.text} ({first:.3f} to {last:.3f})").suggests(
        *SPEAKS_FOR, unless=EXPLAINED_BY
    )
