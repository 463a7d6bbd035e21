"""Is what a position must predict hidden from it?

## Why it matters
A language model that sees the next token copies it: loss and perplexity look better than anything possible, and the
model is useless where the next token is not there yet.

## Threshold
`MAX_EFFECT = 1e-3` standard deviations of the outputs is what changing later inputs may move earlier outputs by:
rounding leaves less than 1e-5. Measured: 16 programs without a leak 0, four with one 0.06 to 3.7.

## Cost
Seven forward passes of 16 examples in eval mode, where dropout does not disturb.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import FutureSight
>>> print(no_position_sees_its_target(FutureSight(20, 1, 0.0, 4.2)))
PASS: changing inputs from the predicted one on moves outputs by 0 <= 0.001 standard deviations

FAIL, a Transformer without a causal mask:

>>> print(no_position_sees_its_target(FutureSight(20, 1, 0.06, 4.2)))
FAIL: changing inputs from the predicted one on moves outputs by 0.06 > 0.001 standard deviations

SKIP, a model that reads nothing yet:

>>> print(no_position_sees_its_target(FutureSight(20, 1, 0.0, 0.0)))
SKIP: no input moves the outputs, so what they see cannot be said

## Fix
Give the attention a causal mask, pad convolutions on the left only, take a one-directional recurrent layer; feed a
decoder the target moved right by one, behind a start token.

## Sources
- Karpathy, A recipe for training neural networks (2019): use backprop to chart dependencies
- The reference's input dependency by gradient: output at t must not depend on inputs after t
"""

from diagkit.evidence.wrong_thing import FutureSight
from diagkit.finding import Finding, at_most, skipped

MAX_EFFECT = 1e-3  # standard deviations of the outputs; see "Threshold"

SPEAKS_FOR = ("future_leak",)


def no_position_sees_its_target(future_sight: FutureSight, *, max_effect: float = MAX_EFFECT) -> Finding:
    """Judge how far inputs that hold the targets move the outputs."""
    future, present = future_sight.future_effect, future_sight.present_effect
    if max(future, present) == 0:
        return skipped("no input moves the outputs, so what they see cannot be said")
    what = "changing inputs from the predicted one on moves outputs by"
    return at_most(future, max_effect, what=what, unit="standard deviations").means("future_leak")
