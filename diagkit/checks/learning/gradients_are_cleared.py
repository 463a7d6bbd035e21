"""Are the gradients cleared between two updates?

## Why it matters
`backward` adds to what `.grad` holds. Without `zero_grad` every update follows the sum of all gradients since the
start: the loss falls first, then swings wider and wider.

## Threshold
`MAX_LEFTOVER = 0.9`, cosine of a gradient with a mark a thousand times as large that was left in the one before
(convention: it is 1 where nothing was cleared). Measured: 66 healthy programs, gradient accumulation among them, at
most 0.05 (chance, where there are few parameters); programs that never clear, 1.00.

## Cost
Four training steps on a copy, shared with the other checks of the step.

## Examples
PASS:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(gradients_are_cleared(StepAnatomy(leftover=0.01)))
PASS: share of the last gradient in the next one 0.01 <= 0.9

FAIL, no `zero_grad`:

>>> print(gradients_are_cleared(StepAnatomy(leftover=1.0)))
FAIL: share of the last gradient in the next one 1 > 0.9

SKIP, the second update never comes:

>>> print(gradients_are_cleared(StepAnatomy(steps=0, leftover=float("nan"))))
SKIP: there were fewer than two updates to compare

## Fix
Call `optimizer.zero_grad()` before every `backward()`, or after every `optimizer.step()` when gradients are gathered
over several batches; on the model that is trained, not on a copy of it.

## Sources
- PyTorch documentation of `torch.Tensor.backward`: gradients are accumulated in the leaves
- Karpathy, most common neural net mistakes (2018): you forgot to zero_grad before backward
"""

import math

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, at_most, skipped

MAX_LEFTOVER = 0.9  # cosine; see "Threshold"

SPEAKS_FOR = ("missing_zero_grad",)


def gradients_are_cleared(step_anatomy: StepAnatomy, *, max_leftover: float = MAX_LEFTOVER) -> Finding:
    """Ask how much of a marked gradient reaches the next update."""
    if math.isnan(step_anatomy.leftover):
        return skipped("there were fewer than two updates to compare")
    what = "share of the last gradient in the next one"
    return at_most(step_anatomy.leftover, max_leftover, what=what).means("missing_zero_grad")
