"""Are validation inputs prepared as training inputs are?

## Why it matters
Two pieces of code that prepare data drift apart: one scales, the other does not; one reads RGB, the other BGR. The
model is right about what it was shown, and is shown something else.

## Threshold
`MAX_SHARE = 0.4`: the best change of the validation inputs (scale, offset, light and dark, order of channels, rows
and columns, start of the ids) brings the loss of the trained model no lower than this share of it, on the way from
the loss of training; or validation is no worse than `MIN_WORSE = 1.3` times training. Measured on healthy programs:
the best change leaves 0.93 or more, or validation is as good as training. Without a model, `MAX_RATIO = 10`: the
spread of validation inputs in units of training inputs, or the other way round.

A part of another season or another group of people passes: no such change mends it.

## Cost
About ten forward passes of the trained model over up to 1,000 validation examples.

## Examples
>>> from diagkit.evidence.data import SplitDifference

PASS:

>>> print(validation_is_prepared_like_training(SplitDifference(1.02, 0.03, 0.21, 0.30, {"scale and offset": 0.31})))
PASS: validation loss is 0.3 and no change of its inputs brings it below 0.31 (training 0.21)

FAIL, validation was never standardized:

>>> print(validation_is_prepared_like_training(SplitDifference(0.37, 0.8, 0.05, 1.9, {"scale and offset": 0.07})))
FAIL: validation loss 1.9 falls to 0.07 when its inputs are changed: scale and offset (training 0.05)

## Fix
Put the preparation into one function that both parts call, with figures taken from training.

## Sources
- Zinkevich, Rules of Machine Learning (Google), rules 29 to 32: training-serving skew
"""

from diagkit.evidence.data import SplitDifference
from diagkit.finding import Finding, failed, passed

MAX_SHARE = 0.4  # of the validation loss; see "Threshold"
MIN_WORSE = 1.3  # times the training loss; see "Threshold"
MAX_RATIO = 10.0  # of spreads; convention

SPEAKS_FOR = ("inconsistent_preprocessing",)


def validation_is_prepared_like_training(
    split_difference: SplitDifference,
    *,
    max_share: float = MAX_SHARE,
    min_worse: float = MIN_WORSE,
    max_ratio: float = MAX_RATIO,
) -> Finding:
    """Judge what the best change of the validation inputs gains."""
    its = split_difference
    ratio = max(its.scale_ratio, 1 / its.scale_ratio) if its.scale_ratio > 0 else 1.0
    best = min(its.changes, key=lambda name: its.changes[name], default="")
    changed = its.changes.get(best, its.val_loss)
    worse = its.val_loss - its.train_loss > (min_worse - 1) * abs(its.train_loss)
    if (
        best
        and worse
        and changed - its.train_loss < max_share * (its.val_loss - its.train_loss)
        and _large(its, changed, max_share)
    ):
        text = f"validation loss {its.val_loss:.3g} falls to {changed:.3g} when its inputs are changed: {best}"
        return failed(f"{text} (training {its.train_loss:.3g})").means("inconsistent_preprocessing")
    if ratio > max_ratio:
        text = f"the spread of validation inputs is {its.scale_ratio:.3g} times that of training inputs"
        return failed(text).means("inconsistent_preprocessing")
    text = f"validation loss is {its.val_loss:.3g} and no change of its inputs brings it below {changed:.3g}"
    return passed(f"{text} (training {its.train_loss:.3g})")


def _large(its: SplitDifference, changed: float, max_share: float) -> bool:
    """Tell whether the change saves much of the loss itself; a loss that can be negative has no share."""
    return its.val_loss <= 0 or changed < max_share * its.val_loss
