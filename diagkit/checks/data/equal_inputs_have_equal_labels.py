"""Do examples with the same input have the same label?

## Why it matters
No model can give two answers to one question: every such pair costs accuracy, and training pulls both ways.

## Threshold
`MAX_SHARE = 0.05` of the examples have an input that stands under another label too, where inputs hold
`MIN_BITS = 30` bits or more and mostly differ (`MIN_DISTINCT = 0.5`); inputs of few or coarse values meet by nature.
Measured on 45 healthy programs: 0.

## Cost
One hash per example.

## Examples
>>> from diagkit.evidence.data import EqualInputs

PASS:

>>> print(equal_inputs_have_equal_labels(EqualInputs(1200, 0.6, 0.6, 0.0, 0.002, 200.0)))
PASS: examples whose input has another label too 0 <= 0.05

FAIL, a class was copied into another one:

>>> print(equal_inputs_have_equal_labels(EqualInputs(1320, 0.9, 0.18, 0.18, 0.002, 200.0)))
FAIL: examples whose input has another label too 0.18 > 0.05

## Fix
Group the examples by input, print groups with several labels, and decide which one holds.

## Sources
- The mutation operator "make output classes overlap", DeepCrime (2021)
"""

from diagkit.evidence.data import EqualInputs
from diagkit.finding import Finding, at_most, skipped

MAX_SHARE = 0.05  # of the examples; see "Threshold"
MIN_BITS = 30.0  # of an input; convention
MIN_DISTINCT = 0.5  # of the examples; convention
MIN_ROWS = 50  # convention

SPEAKS_FOR = ("overlapping_classes", "label_noise")


def equal_inputs_have_equal_labels(equal_inputs: EqualInputs, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of examples whose input contradicts itself."""
    its = equal_inputs
    if its.conflicting != its.conflicting:
        return skipped("there is not one label for each example")
    if its.bits < MIN_BITS or its.distinct < MIN_DISTINCT or its.rows < MIN_ROWS:
        return skipped(
            f"{its.distinct:.0%} of {its.rows} inputs are distinct".replace("%", " %") + ": equal ones may be chance"
        )
    return at_most(its.conflicting, max_share, what="examples whose input has another label too").means(
        "overlapping_classes"
    )
