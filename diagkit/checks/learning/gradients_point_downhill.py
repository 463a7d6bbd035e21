"""Do the updates lower the loss, rather than raise it?

## Why it matters
A sign lost in a loss of one's own, or `maximize=True`, makes the training climb. With a bounded loss nothing explodes;
it just gets worse.

## Threshold
`MIN_SCALE = 0`: the gradient that the optimizer follows must not be opposed to that of the loss. Measured: healthy
programs 1.0 throughout.

## Cost
Four training steps on a copy, shared with the other checks of the step.

## Examples
PASS:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(gradients_point_downhill(StepAnatomy()))
PASS: the gradient followed is 1 >= 0 times that of the loss

FAIL, `(-loss).backward()`:

>>> print(gradients_point_downhill(StepAnatomy(scales=[-1.0, -1.0])))
FAIL: the gradient followed is -1 < 0 times that of the loss

FAIL, an optimizer that maximizes:

>>> print(gradients_point_downhill(StepAnatomy(maximize=True)))
FAIL: the gradient followed is -1 < 0 times that of the loss

SKIP, the step has another loss of its own:

>>> print(gradients_point_downhill(StepAnatomy(scales=[-0.2], alignments=[0.3])))
SKIP: the step's gradient is not that of the loss alone

## Fix
Return the loss that is to become small, and leave `maximize` off.

## Sources
- PyTorch documentation of `torch.optim`: `maximize`
"""

from statistics import median

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, at_least, skipped

MIN_SCALE = 0.0  # times the clean gradient; see "Threshold"
MIN_ALIGNMENT = 0.8  # cosine, for the two to be compared at all

SPEAKS_FOR = ("wrong_sign",)


def gradients_point_downhill(
    step_anatomy: StepAnatomy, *, min_scale: float = MIN_SCALE, min_alignment: float = MIN_ALIGNMENT
) -> Finding:
    """Compare the direction that is followed with that of the loss."""
    if not step_anatomy.scales or not median(step_anatomy.alignments) >= min_alignment:
        return skipped("the step's gradient is not that of the loss alone")
    sign = -1 if step_anatomy.maximize else 1
    finding = at_least(
        sign * median(step_anatomy.scales), min_scale, what="the gradient followed is", unit="times that of the loss"
    )
    return finding.means("wrong_sign")
