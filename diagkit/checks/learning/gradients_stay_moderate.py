"""Does the untrained loss react moderately to the weights?

## Why it matters
Where a change of a weight by one per cent changes the loss by its hundredfold, no rate is small enough: the first
updates throw the model away.

## Threshold
`MAX_REACTION = 100`: the largest |weight| |gradient| / |loss| of any layer of the untrained model (convention).
Measured: 67 healthy programs at most 9.3, a recurrent matrix of gain 2.2 742.

## Cost
Forward and backward passes of four batches, shared with the early layers' check.

## Examples
PASS:

>>> from diagkit.evidence.learning import GradientSpread
>>> print(gradients_stay_moderate(GradientSpread(["a", "b", "c"], [1.0, 2.0, 1.0], [3.0, 5.0, 9.0])))
PASS: strongest reaction of the loss to a layer 2 <= 100

FAIL, a recurrent matrix that doubles the state at every position:

>>> print(gradients_stay_moderate(GradientSpread(["a", "b", "c"], [9e6, 2.0, 1.0], [3.0, 5.0, 9.0])))
FAIL: strongest reaction of the loss to a layer 9,000,000 > 100 (a)

## Fix
Initialize recurrent matrices orthogonally, normalize between layers, clip the gradient's norm.

## Sources
- Pascanu, Mikolov, Bengio, On the difficulty of training recurrent networks (2013)
"""

import math
from dataclasses import replace

from diagkit.evidence.learning import GradientSpread
from diagkit.finding import Finding, at_most, skipped

MAX_REACTION = 100.0  # without unit; see "Threshold"

SPEAKS_FOR = ("exploding_gradients",)
EXPLAINED_BY = ("bad_initialization", "unnormalized_inputs", "nonfinite_inputs")


def gradients_stay_moderate(gradient_spread: GradientSpread, *, max_reaction: float = MAX_REACTION) -> Finding:
    """Find the layer that the untrained loss reacts to most."""
    known = [its for its in gradient_spread.untrained if not math.isnan(its)]
    if not known:
        return skipped("no layer has a gradient that is a number")
    strongest = max(known)
    finding = at_most(strongest, max_reaction, what="strongest reaction of the loss to a layer")
    if not finding:
        where = gradient_spread.names[gradient_spread.untrained.index(strongest)]
        finding = replace(finding, text=f"{finding.text} ({where})")
    return finding.suggests("exploding_gradients", unless=EXPLAINED_BY)
