"""Have the units of a layer learnt different things?

## Why it matters
Units that start with equal weights receive equal gradients: however wide the layer, it stays one unit.

## Threshold
`MAX_SAME = 0.5` of a layer's units with the weights of another one, after training as before (convention). Measured:
healthy programs 0; layers that start at zero on purpose are told apart by the training.

## Cost
Reads the weights before and after.

## Examples
PASS, a layer that started at zero:

>>> from diagkit.evidence.learning import UnitSymmetry
>>> print(units_differ(UnitSymmetry(["a.weight", "b.weight"], [0.0, 0.0], [0.0, 1.0])))
PASS: largest share of units that equal another one 0 <= 0.5

FAIL, all weights started at 0.1:

>>> print(units_differ(UnitSymmetry(["a.weight"], [1.0], [1.0])))
FAIL: largest share of units that equal another one 1 > 0.5 in a.weight

SKIP, nothing has moved:

>>> print(units_differ(UnitSymmetry(["a.weight"], [1.0], [1.0], moved=False)))
SKIP: the training changed no weight

## Fix
Draw the weights at random; only biases, gains of normalization layers and the last layer of a branch may start equal.

## Sources
- CS231n, neural networks part 2: pitfall, all zero initialization
"""

from dataclasses import replace

from diagkit.evidence.learning import UnitSymmetry
from diagkit.finding import Finding, at_most, skipped

MAX_SAME = 0.5  # of a layer's units; see "Threshold"

SPEAKS_FOR = ("bad_initialization",)


def units_differ(unit_symmetry: UnitSymmetry, *, max_same: float = MAX_SAME) -> Finding:
    """Find the layer with the largest share of equal units."""
    if not unit_symmetry.moved:
        return skipped("the training changed no weight")
    both = [min(before, after) for before, after in zip(unit_symmetry.start, unit_symmetry.same, strict=True)]
    worst = max(both)
    finding = at_most(worst, max_same, what="largest share of units that equal another one")
    if finding:
        return finding
    finding = replace(finding, text=f"{finding.text} in {unit_symmetry.names[both.index(worst)]}")
    return finding.means("bad_initialization")
