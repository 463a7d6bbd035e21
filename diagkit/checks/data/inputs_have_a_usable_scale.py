"""Do the inputs reach the first weights at a scale that training can start from?

## Why it matters
Initial weights and learning rates are made for inputs near one. A feature a thousand times larger saturates or drowns
the others; one a thousand times smaller is not seen.

## Threshold
`MAX_SIZE = 50`: the 90 % quantile of the largest feature, as the first layer with weights receives it, unless a
normalization follows that layer. Measured on 45 healthy programs: 0.3 to 3.4; pixels of 0 to 16 have 16, pixels of 0
to 255 about 250, raw vital signs 13,000. `MIN_SIZE = 0.01`: the root mean square of all values that are not zero;
measured 0.15 to 1.5.

## Cost
One forward pass; where a `train_step` is given and the inputs are large, one step on a copy.

## Examples
>>> from diagkit.evidence.data import InputScale

PASS:

>>> print(inputs_have_a_usable_scale(InputScale(1.85, 1.0, 1.85, False)))
PASS: largest feature at the first weights 1.85 <= 50

FAIL, respiratory minute volumes as they were measured:

>>> print(inputs_have_a_usable_scale(InputScale(13000.0, 3940.0, 13000.0, False)))
FAIL: largest feature at the first weights 13,000 > 50

## Fix
Standardize every feature with the mean and spread of the training part, and use the same figures for validation.

## Sources
- LeCun, Bottou, Orr and Mueller, Efficient BackProp (1998), section 4.3
- CS231n, Setting up the data and the model
"""

from dataclasses import replace

from diagkit.evidence.data import InputScale
from diagkit.finding import Finding, at_least, at_most

MAX_SIZE = 50.0  # see "Threshold"
MIN_SIZE = 0.01  # see "Threshold"

SPEAKS_FOR = ("unnormalized_inputs",)


def inputs_have_a_usable_scale(
    input_scale: InputScale, *, max_size: float = MAX_SIZE, min_size: float = MIN_SIZE
) -> Finding:
    """Judge the size of the inputs at the first weights."""
    its = input_scale
    finding = at_most(its.size, max_size, what="largest feature at the first weights")
    if finding and its.smallness > 0:
        small = at_least(its.smallness, min_size, what="root mean square of the inputs at the first weights")
        finding = finding if small else small
    if finding or not its.normalized:
        return finding.means("unnormalized_inputs")
    text = f"{its.size:.3g} at the first weights, but a normalization follows them"
    return replace(at_most(1.0, 1.0, what=text), text=text)
