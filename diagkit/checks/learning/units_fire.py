"""Do the units of the trained model fire at all?

## Why it matters
A relu unit that is zero for every example has no gradient and never comes back. A layer of dead units passes nothing
on, and the model predicts a constant.

## Threshold
`MAX_DEAD = 0.7` of the units of any layer, over at least `MIN_EXAMPLES = 200` training examples (fewer say nothing).
Measured: 67 healthy programs at most 0.38. Units that were
dead before the first update are a cause of their own; those that died on the way may be a symptom.

## Cost
Forward passes over up to 1,000 examples.

## Examples
PASS:

>>> from diagkit.evidence.learning import UnitActivity
>>> def activity(examples=1000, dead=0.1, is_output=False):
...     return UnitActivity(examples, ["act"], ["relu"], [64], [dead], [0.0], [0.0], [0.0], [is_output])
>>> print(units_fire(activity()))
PASS: largest share of units that never fire 0.1 <= 0.7 over 1000 examples

FAIL:

>>> print(units_fire(activity(dead=1.0)))
FAIL: largest share of units that never fire 1 > 0.7 over 1000 examples (relu in act)

SKIP:

>>> print(units_fire(activity(examples=16, dead=1.0)))
SKIP: only 16 examples, too few to call a unit dead

## Fix
A lower rate, biases that start at zero, leaky relu or gelu, inputs around zero.

## Sources
- CS231n, neural networks part 1: relu units can die
- Lu et al., Dying ReLU and initialization (2019)
"""

from dataclasses import replace

from diagkit.evidence.learning import UnitActivity
from diagkit.finding import Finding, at_most, skipped

MAX_DEAD = 0.7  # of a layer's units; see "Threshold"
MIN_EXAMPLES = 200

SPEAKS_FOR = ("dead_units",)
EXPLAINED_BY = (
    "unnormalized_inputs",
    "bad_initialization",
    "learning_rate_too_high",
    "gradient_scale",
    "missing_zero_grad",
    "nonfinite_values",
    "output_range",
    "wrong_sign",
    "excessive_regularization",
)


def units_fire(unit_activity: UnitActivity, *, max_dead: float = MAX_DEAD, min_examples: int = MIN_EXAMPLES) -> Finding:
    """Find the hidden layer with the most dead units."""
    u = unit_activity
    hidden = [i for i, kind in enumerate(u.kinds) if kind == "relu" and not u.is_output[i]]
    if u.examples < min_examples:
        return skipped(f"only {u.examples} examples, too few to call a unit dead")
    if not hidden:
        return skipped("no relu in a hidden layer")
    worst = max(hidden, key=lambda i: u.dead[i])
    what, unit = "largest share of units that never fire", f"over {u.examples} examples"
    finding = at_most(u.dead[worst], max_dead, what=what, unit=unit)
    if not finding:
        finding = replace(finding, text=f"{finding.text} (relu in {u.names[worst]})")
    if u.dead_before[worst] > max_dead:  # no update has killed them
        return finding.means("dead_units")
    return finding.suggests("dead_units", unless=EXPLAINED_BY)
