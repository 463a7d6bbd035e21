"""Was there a learning rate to the end of the run?

## Why it matters
Some schedules are only known afterwards: those that a training step drives itself, or that follow the losses.

## Threshold
Those of `schedule_lasts`, on the rates of the steps that were taken.

## Cost
Reads the logged rates.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(rate_survives(History([1.0] * 25, [0.1] * 25, 0.1, [25], [0.9])))
PASS: the rate lives for 1 >= 0.5 of the training

FAIL:

>>> print(rate_survives(History([1.0] * 25, [0.1] * 5 + [0.0] * 20, 0.1, [25], [0.9])))
FAIL: the rate lives for 0.2 < 0.5 of the training

SKIP:

>>> print(rate_survives(History([1.0] * 2, [0.1, 0.0], 0.1, [2], [0.9])))
SKIP: only 2 steps were taken

## Fix
Step the scheduler once per epoch, or give it the number of all steps; do not let it react to every batch.

## Sources
- PyTorch documentation of `torch.optim`, how to adjust learning rate
"""

from diagkit.checks.learning.schedule_lasts import MIN_ALIVE, MIN_MEAN, lasts
from diagkit.evidence.training import History
from diagkit.finding import Finding, skipped

MIN_STEPS = 20  # for a curve to have a course

SPEAKS_FOR = ("schedule_decays_to_zero",)


def rate_survives(history: History, *, min_alive: float = MIN_ALIVE, min_mean: float = MIN_MEAN) -> Finding:
    """Judge the rates of the steps that were taken."""
    if len(history.rates) < MIN_STEPS:
        return skipped(f"only {len(history.rates)} steps were taken")
    return lasts(history.rates, min_alive, min_mean).means("schedule_decays_to_zero")
