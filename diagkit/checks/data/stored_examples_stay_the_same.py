"""Do stored examples stay as they are while they are read?

## Why it matters
A transform that works in place is applied again in every epoch: inputs grow, shrink or blur from one reading to the
next, and validation data with them.

## Threshold
`MAX_CHANGED = 0` stored tensors may differ after three readings while the same example, fetched with the same random
state, comes out differently. Where the store cannot be seen, `MAX_DRIFT = 0.1`: the spread, or the mean in standard
deviations, that moves in the same direction from each reading to the next. Measured on 45 healthy programs: 0
changed, drift below 0.01; in-place standardization: factor 2.7 per reading.

## Cost
Reads a copy of the training loader three times.

## Examples
>>> from diagkit.evidence.data import RepeatedReadings

PASS, random augmentation:

>>> steady = RepeatedReadings([], False, [1.0, 1.01, 0.99], [0.0, 0.01, 0.0], [1.0, 1.01, 0.99])
>>> print(stored_examples_stay_the_same(steady))
PASS: drift over three readings 0 <= 0.1

FAIL, standardized in place:

>>> grown = RepeatedReadings(["images"], True, [1.0, 2.8, 7.5], [0.0, -0.8, -3.0], [1.0, 2.7, 7.1])
>>> print(stored_examples_stay_the_same(grown))
FAIL: reading changes what is stored: images; the inputs' spread goes 1 -> 2.7 -> 7.1 over three readings

## Fix
Write `image.sub(mean)`, not `image.sub_(mean)`, and `x = x - mean`, not `x -= mean`; or return a copy from the
dataset.

## Sources
- pytorch/vision issue 680: normalize works in place and changes data that is kept in memory
"""

import math
from itertools import pairwise

from diagkit.evidence.data import RepeatedReadings
from diagkit.finding import Finding, at_most, failed

MAX_DRIFT = 0.1  # see "Threshold"

SPEAKS_FOR = ("data_mutated",)


def stored_examples_stay_the_same(repeated_readings: RepeatedReadings, *, max_drift: float = MAX_DRIFT) -> Finding:
    """Judge what changed in the store, and how the inputs drift."""
    its = repeated_readings
    drift = max(
        _drift([_logarithm(spread) for spread in its.spreads]),
        _drift([c / (its.spreads[0] or 1.0) for c in its.centres]),
    )
    finding = at_most(drift, max_drift, what="drift over three readings")
    spreads = " -> ".join(f"{spread:.2g}" for spread in its.spreads)
    if its.stored_changes and its.items_change:
        names = ", ".join(its.stored_changes[:3])
        text = f"reading changes what is stored: {names}; the inputs' spread goes {spreads} over three readings"
        return failed(text).means("data_mutated")
    return finding.means("data_mutated")


def _logarithm(value: float) -> float:
    return math.log(max(value, 1e-12))


def _drift(values: list[float]) -> float:
    """Return the smallest step where all steps go the same way, else 0."""
    steps = [after - before for before, after in pairwise(values)]
    same = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    return min(abs(step) for step in steps) if steps and same else 0.0
