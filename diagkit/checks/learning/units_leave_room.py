"""Do sigmoid and tanh units work between their limits?

## Why it matters
At its limit a sigmoid has no slope: the gradient behind it is zero, whatever the loss says.

## Threshold
`MAX_SATURATED = 0.8` of the values of a hidden layer within 1 % of a limit, before and after training (convention; at
the start, since a trained gate may well be decided). Gates of recurrent layers and the output are left out. Measured:
67 healthy programs at most 0.01.

## Cost
Forward passes over up to 1,000 examples.

## Examples
PASS:

>>> from diagkit.evidence.learning import UnitActivity
>>> def activity(before, after, is_output=False):
...     return UnitActivity(1000, ["act"], ["tanh"], [64], [0.0], [0.0], [after], [before], [is_output])
>>> print(units_leave_room(activity(0.01, 0.3)))
PASS: largest share of values at a limit 0.01 <= 0.8

FAIL:

>>> print(units_leave_room(activity(0.97, 0.99)))
FAIL: largest share of values at a limit 0.97 > 0.8 (tanh in act)

SKIP, an output may be certain:

>>> print(units_leave_room(activity(0.97, 0.99, is_output=True)))
SKIP: no sigmoid or tanh in a hidden layer

## Fix
Standardize what goes in, initialize weights with 1/sqrt(fan-in), or use relu.

## Sources
- CS231n, neural networks part 1: sigmoids saturate and kill gradients
"""

from dataclasses import replace

from diagkit.evidence.learning import UnitActivity
from diagkit.finding import Finding, at_most, skipped

MAX_SATURATED = 0.8  # of a layer's values; see "Threshold"

SPEAKS_FOR = ("saturated_units",)
EXPLAINED_BY = ("unnormalized_inputs", "bad_initialization", "nonfinite_values", "learning_rate_too_high")


def units_leave_room(unit_activity: UnitActivity, *, max_saturated: float = MAX_SATURATED) -> Finding:
    """Find the hidden layer with the largest share of values at a limit, before as well as after training."""
    u = unit_activity
    hidden = [i for i, kind in enumerate(u.kinds) if kind != "relu" and not u.is_output[i]]
    if not hidden:
        return skipped("no sigmoid or tanh in a hidden layer")
    stuck = {i: min(u.saturated[i], u.saturated_before[i]) for i in hidden}
    worst = max(stuck, key=lambda i: stuck[i])
    finding = at_most(stuck[worst], max_saturated, what="largest share of values at a limit")
    if not finding:
        finding = replace(finding, text=f"{finding.text} ({u.kinds[worst]} in {u.names[worst]})")
    return finding.suggests("saturated_units", unless=EXPLAINED_BY)
