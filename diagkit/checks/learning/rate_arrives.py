"""Does the learning rate that was asked for ever arrive?

## Why it matters
A warm-up longer than the training, or a rate of zero, trains with another rate than the config says; the run looks
slow or underfitted, and every conclusion about the asked rate is wrong.

## Threshold
`MIN_SHARE = 0.5` of the asked rate, at some step (convention: a schedule that peaks below half of the setting is
another setting). Healthy schedules reach 1; the tutorial's reaches 0.235. A rate of zero fails whatever was asked.

## Cost
Reads the logged rates.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(rate_arrives(History([1.0, 0.9], [0.0005, 0.001], 0.001, [2], [0.9])))
PASS: highest rate 1 >= 0.5 of the asked 0.001

FAIL, 940 steps of a warm-up over 4,000:

>>> print(rate_arrives(History([1.0, 0.9], [0.0, 0.000235], 0.001, [2], [0.9])))
FAIL: highest rate 0.235 < 0.5 of the asked 0.001

FAIL, nothing was asked for:

>>> print(rate_arrives(History([1.0, 1.0], [0.0, 0.0], 0.0, [2], [1.0])))
FAIL: the learning rate is 0 at every step

SKIP, the run was cut short:

>>> print(rate_arrives(History([1.0, 0.9], [0.0, 0.0001], 0.001, [2], [0.9], planned_steps=100)))
SKIP: only 2 of 100 planned steps were taken

## Fix
Give the warm-up in steps of this training (a tenth of them is usual) and plot the rate once.

## Sources
- The tutorial's own runs: 4,000 warm-up steps in a training of 940
"""

from dataclasses import replace

from diagkit.evidence.training import History
from diagkit.finding import Finding, at_least, failed, skipped

MIN_SHARE = 0.5  # of the asked rate; see "Threshold"

SPEAKS_FOR = ("zero_learning_rate", "endless_warmup")


def rate_arrives(history: History, *, min_share: float = MIN_SHARE) -> Finding:
    """Compare the highest rate of any step with the optimizer's setting."""
    taken = len(history.rates)
    if not taken or taken < history.planned_steps:
        return skipped(f"only {taken} of {history.planned_steps} planned steps were taken")
    highest = max(history.rates)
    if highest == 0:
        return failed("the learning rate is 0 at every step").means("zero_learning_rate")
    if history.asked_rate == 0:
        return skipped("no rate was asked for")
    finding = at_least(highest / history.asked_rate, min_share, what="highest rate", unit="of the asked")
    return replace(finding, text=f"{finding.text} {history.asked_rate:g}").means("endless_warmup")
