"""Is the gradient that of the data, rather than of a penalty?

## Why it matters
A penalty on the weights that outweighs the loss pulls everything to zero; the loss stays near that of a constant.

## Threshold
`MAX_PENALTY = 3` times the data's gradient, for the part of the optimizer's gradient along the weights (L2) or their
signs (L1), at the untrained weights (convention: at the start data must win). Measured: healthy programs 0.00.

## Cost
Four training steps on a copy, shared with the other checks of the step.

## Examples
PASS:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(penalty_leaves_the_gradient(StepAnatomy(penalties=[0.02, 0.02])))
PASS: penalty 0.02 <= 3 times the gradient of the data

FAIL:

>>> print(penalty_leaves_the_gradient(StepAnatomy(penalties=[40.0, 38.0])))
FAIL: penalty 39 > 3 times the gradient of the data

## Fix
Divide the penalty's weight by ten until the training loss falls as far as without it.

## Sources
- DeepCrime (ISSTA 2021): weights regularization as a mutation operator
"""

from statistics import median

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, at_most, skipped

MAX_PENALTY = 3.0  # times the clean gradient; see "Threshold"
MIN_ALIGNMENT = 0.9  # cosine of what is seen with gradient and penalty together

SPEAKS_FOR = ("excessive_regularization",)


def penalty_leaves_the_gradient(step_anatomy: StepAnatomy, *, max_penalty: float = MAX_PENALTY) -> Finding:
    """Compare the part of the gradient along the weights with that of the loss."""
    if not step_anatomy.penalties or not median(step_anatomy.alignments) >= MIN_ALIGNMENT:
        return skipped("the step's gradient is not that of the loss alone")
    finding = at_most(
        median(step_anatomy.penalties), max_penalty, what="penalty", unit="times the gradient of the data"
    )
    return finding.means("excessive_regularization")
