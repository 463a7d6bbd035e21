"""Does an example's output depend on this example alone?

## Why it matters
In eval mode a batch is only a way to save time. Where its examples see each other, scores change with the batch size
and the order, and training learns from accidental neighbours.

## Threshold
`MAX_EFFECT = 1e-3` standard deviations of the outputs is what exchanging batch mates may move an example's output by;
rounding leaves 1e-7 (65 healthy programs), mixing moves it by 0.03 to 2.3 (six faulty ones). What tells the faults
apart: a softmax inside the model that runs along the batch; other contents of the mates matter (an operation on the
wrong axis); only their lengths or masks matter (a mask for the wrong row).

## Cost
A dozen forward passes of 13 examples in eval mode. Batch normalization without running statistics, graphs and
examples that share one long row are not asked.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import BatchMixing
>>> print(examples_do_not_see_each_other(BatchMixing(13, 0.0, 1e-7, 2.5, False, False)))
PASS: exchanging batch mates moves an output by 1e-07 <= 0.001 standard deviations

FAIL, `view(batch, -1)` of states that stand (direction, batch, width):

>>> print(examples_do_not_see_each_other(BatchMixing(13, 0.78, 0.78, 1.4, False, False)))
FAIL: exchanging batch mates moves an output by 0.78 > 0.001 standard deviations; what they hold matters

FAIL, a mask repeated in the wrong order over the heads:

>>> print(examples_do_not_see_each_other(BatchMixing(13, 0.0, 2.3, 2.6, False, False)))
FAIL: exchanging batch mates moves an output by 2.3 > 0.001 standard deviations; only their lengths or masks matter

## Fix
Contents: look for `view` or `reshape` where `transpose` or `permute` was meant, for a missing `batch_first=True`, for
a mean over axis 0. Masks: expand each row's own mask, `repeat_interleave(heads, 0)` and not `repeat(heads, 1, 1)`.
Softmax: give it the axis of what should compete.

## Sources
- Karpathy, A recipe for training neural networks (2019): the gradient of example i's loss reaches example i's input
  only
- CLIP4Clip issue 22: masks repeated in another order than the heads"""

from dataclasses import replace

from diagkit.evidence.wrong_thing import BatchMixing
from diagkit.finding import Finding, Verdict, at_most, passed

MAX_EFFECT = 1e-3  # standard deviations of the outputs; see "Threshold"

SPEAKS_FOR = ("wrong_softmax_dim", "axis_mixup", "mask_misaligned")


def examples_do_not_see_each_other(batch_mixing: BatchMixing, *, max_effect: float = MAX_EFFECT) -> Finding:
    """Judge how far batch mates move an output, and say by what."""
    mixing = batch_mixing
    if mixing.time_first:
        return passed("examples stand along the second axis and do not see each other")
    what = "exchanging batch mates moves an output by"
    finding = at_most(mixing.everything, max_effect, what=what, unit="standard deviations")
    if finding.verdict is Verdict.PASS:
        return finding
    if mixing.softmax_over_batch:
        return replace(finding, text=f"{finding.text}; a softmax runs along the batch").means("wrong_softmax_dim")
    if mixing.contents > max_effect:
        text = f"{finding.text}; what they hold matters"
        return replace(finding, text=text).means("axis_mixup", "mask_misaligned")
    return replace(finding, text=f"{finding.text}; only their lengths or masks matter").means("mask_misaligned")
