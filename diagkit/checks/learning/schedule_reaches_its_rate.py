"""Does the schedule reach the learning rate that was asked for while the training lasts?

## Why it matters
A warm-up written for a long training never ends in a short one: every step is taken with a fraction of the rate that
the settings name. A rate of zero takes no step at all.

## Threshold
`MIN_SHARE = 0.5` of the asked rate at some step (convention, as for the rates of a finished run), and a warm-up that
takes at most `MAX_WARMUP = 0.6` of the training. Measured: healthy programs reach 1.0 of it within the first 0.3, the
tutorial's schedule 0.235.

## Cost
Steps a copy of the scheduler; no training.

## Examples
PASS:

>>> from diagkit.evidence.learning import PlannedRates
>>> print(schedule_reaches_its_rate(PlannedRates(100, 0.1, [0.05, 0.1, 0.1, 0.1])))
PASS: highest planned rate 1 >= 0.5 of the asked 0.1

FAIL, 940 steps of a warm-up over 4,000:

>>> print(schedule_reaches_its_rate(PlannedRates(940, 0.001, [0.0, 0.0001, 0.000235])))
FAIL: highest planned rate 0.235 < 0.5 of the asked 0.001

FAIL:

>>> print(schedule_reaches_its_rate(PlannedRates(940, 0.0, [0.0])))
FAIL: the learning rate is 0 at every step

## Fix
Give the warm-up in steps of this training (a tenth of them is usual), and step the scheduler as often as it counts.

## Sources
- The tutorial's own runs: 4,000 warm-up steps in a training of 940
"""

from dataclasses import replace

from diagkit.evidence.learning import PlannedRates
from diagkit.finding import Finding, at_least, at_most, failed, skipped

MIN_SHARE = 0.5  # of the asked rate; see "Threshold"
MAX_WARMUP = 0.6  # of the training

SPEAKS_FOR = ("zero_learning_rate", "endless_warmup")


def schedule_reaches_its_rate(
    planned_rates: PlannedRates, *, min_share: float = MIN_SHARE, max_warmup: float = MAX_WARMUP
) -> Finding:
    """Compare the highest planned rate with the asked one, and see when it comes."""
    rates, asked = planned_rates.rates, planned_rates.asked
    if not rates:
        return skipped("no step is planned")
    highest = max(rates)
    if highest == 0:
        return failed("the learning rate is 0 at every step").means("zero_learning_rate")
    finding = at_least(highest / max(asked, 1e-300), min_share, what="highest planned rate", unit="of the asked")
    if not finding:
        return replace(finding, text=f"{finding.text} {asked:g}").means("endless_warmup")
    first = next(place for place, rate in enumerate(rates) if rate >= highest / 2) / len(rates)
    late = at_most(first, max_warmup, what="half of the highest rate is reached after", unit="of the training")
    return replace(finding, text=f"{finding.text} {asked:g}") if late else late.means("endless_warmup")
