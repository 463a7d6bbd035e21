"""Does the schedule leave a learning rate for the whole training?

## Why it matters
A decay that is counted in epochs and stepped at every batch has killed the rate within the first epochs. The loss
freezes where it stands, and the rest of the training is for nothing.

## Threshold
`MIN_ALIVE = 0.5` of the training must have passed when the rate falls for good below `DEAD = 0.001` of its peak, and
the mean rate must be at least `MIN_MEAN = 0.05` of the peak (conventions: a cosine or linear decay to zero has mean 0.5
and dies at the very end, an exponential decay to a thousandth 0.14). Measured: healthy programs die never or after 0.95
and have means of 0.38 and more; decays stepped per batch instead of per epoch die at 0.03 to 0.3.

## Cost
Steps a copy of the scheduler; no training.

## Examples
PASS, a linear decay:

>>> from diagkit.evidence.learning import PlannedRates
>>> print(schedule_lasts(PlannedRates(100, 0.1, [0.1, 0.075, 0.05, 0.025, 0.0])))
PASS: the rate lives for 0.8 >= 0.5 of the training

FAIL:

>>> print(schedule_lasts(PlannedRates(100, 0.1, [0.1, 0.001, 0.00001, 0.0, 0.0, 0.0, 0.0, 0.0])))
FAIL: the rate lives for 0.25 < 0.5 of the training

FAIL, a scheduler that is stepped more often than it was made for:

>>> print(schedule_lasts(PlannedRates(100, 0.1, [0.1, 0.0], "ValueError: Tried to step 21 times", 0.2)))
FAIL: the scheduler gives up after 0.2 of the training: ValueError: Tried to step 21 times

## Fix
Step the scheduler in the unit that its settings are counted in: once per epoch, or give it the number of all steps.

## Sources
- PyTorch documentation of `torch.optim`, how to adjust learning rate: `scheduler.step()` after the epoch
"""

from dataclasses import replace

from diagkit.evidence.learning import PlannedRates
from diagkit.finding import Finding, at_least, failed, skipped

DEAD = 0.001  # of the peak
MIN_ALIVE = 0.5  # of the training; see "Threshold"
MIN_MEAN = 0.05  # of the peak
MIN_PROBLEM = 0.95  # of the training that the scheduler must get through

SPEAKS_FOR = ("schedule_decays_to_zero",)


def schedule_lasts(planned_rates: PlannedRates, *, min_alive: float = MIN_ALIVE, min_mean: float = MIN_MEAN) -> Finding:
    """See when the planned rate dies, and how high it stands on average."""
    if planned_rates.problem and planned_rates.share < MIN_PROBLEM:
        text = f"the scheduler gives up after {planned_rates.share:.2g} of the training: {planned_rates.problem}"
        return failed(text).means("schedule_decays_to_zero")
    return lasts(planned_rates.rates, min_alive, min_mean).means("schedule_decays_to_zero")


def lasts(rates: list[float], min_alive: float = MIN_ALIVE, min_mean: float = MIN_MEAN) -> Finding:
    """Judge the rates of all steps, from the first to the last."""
    peak = max(rates, default=0.0)
    if not peak > 0:
        return skipped("the rate is zero from the start")
    alive = max(place for place, rate in enumerate(rates, start=1) if rate >= DEAD * peak) / len(rates)
    finding = at_least(alive, min_alive, what="the rate lives for", unit="of the training")
    if not finding:
        return finding
    mean = at_least(sum(rates) / len(rates) / peak, min_mean, what="mean rate", unit="of its peak")
    return finding if mean else replace(mean, text=f"{mean.text}: almost all of the training has next to no rate")
