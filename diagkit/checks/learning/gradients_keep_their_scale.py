"""Do gradients reach the optimizer at the scale that its settings assume?

## Why it matters
Gradients of ten batches that are added instead of averaged, a loss scale that is never taken back, a loss divided
twice: the rate is then another than the one that is written down.

## Threshold
`MAX_SCALE = 3` and `MIN_SCALE = 1/3` times the mean gradient of the batches that make one update; where several batches
are gathered, also their plain sum (at least `SUMMED = 0.75` times their number). An optimizer that divides by the
gradient's own size (Adam) cares only about the sum, by the settings that are taken over. Measured: 66 healthy programs,
1.00 in every step; summed accumulation over ten batches, 10.0.

## Cost
Four training steps on a copy, shared with the other checks of the step.

## Examples
PASS, four batches averaged:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(gradients_keep_their_scale(StepAnatomy(calls=16)))
PASS: gradients reach the optimizer 1 times as large as the mean over the 4 batches of an update

FAIL, ten batches added up:

>>> print(gradients_keep_their_scale(StepAnatomy(calls=40, scales=[10.0] * 4)))
FAIL: gradients reach the optimizer 10 times as large as the mean over the 10 batches of an update

SKIP, the step has another loss of its own:

>>> print(gradients_keep_their_scale(StepAnatomy(scales=[8.0], alignments=[0.3])))
SKIP: the step's gradient is not that of the loss alone

## Fix
Divide the loss by the number of gathered batches before `backward()`; unscale before stepping.

## Sources
- PyTorch documentation, automatic mixed precision examples: `loss = loss / iters_to_accumulate`
"""

from statistics import median

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, failed, passed, skipped

MAX_SCALE = 3.0  # times the clean gradient; see "Threshold"
MIN_SCALE = 1 / 3
SUMMED = 0.75  # of the number of batches
MIN_ALIGNMENT = 0.9  # cosine, for the two to be compared at all

SPEAKS_FOR = ("gradient_scale",)


def gradients_keep_their_scale(
    step_anatomy: StepAnatomy, *, max_scale: float = MAX_SCALE, min_scale: float = MIN_SCALE, summed: float = SUMMED
) -> Finding:
    """Compare the size of the gradient that is used with the mean of its batches."""
    if not step_anatomy.scales or not median(step_anatomy.alignments) >= MIN_ALIGNMENT:
        return skipped("the step's gradient is not that of the loss alone")
    scale, batches = abs(median(step_anatomy.scales)), step_anatomy.calls_per_step
    several = f"mean over the {batches} batches of an update" if batches > 1 else "gradient of the batch"
    text = f"gradients reach the optimizer {scale:.3g} times as large as the {several}"
    added = batches > 1 and scale >= max(summed * batches, 1.5)
    off = not step_anatomy.adaptive and (scale >= max_scale or (scale <= min_scale and not step_anatomy.clipped))
    return failed(text).means("gradient_scale") if added or off else passed(text)
