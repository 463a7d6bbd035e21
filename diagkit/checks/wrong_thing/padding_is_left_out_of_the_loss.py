"""Is padding left out of the loss?

## Why it matters
Where most positions are padding, predicting padding is most of the task: loss and accuracy look excellent at once,
and the real positions are hardly learned.

## Threshold
`MAX_SHARE = 0.2` of the targets may be padding with a gradient (convention: a fifth of the gradient). Padding is an
id that rows of different length end in, that never stands between others, where inputs are padding, too. Where it is
the only stop sign of a decoder, it must be learned and is not meant. Measured: 67 healthy programs 0, a faulty one
0.87.

## Cost
One forward pass of 64 examples and one gradient of the loss with respect to the outputs.

## Examples
>>> from diagkit.evidence.wrong_thing import AskedPositions
>>> def tagger(asked):
...     shares = {"0": 0.87, "1": 0.06, "2": 0.07}
...     return AskedPositions(
...         7, 1920, "seq2seq", shares, {"0": asked, "1": 1.0, "2": 1.0}, ["1", "2"], None, False, 0, None, 0, "0", True
...     )

PASS:

>>> print(padding_is_left_out_of_the_loss(tagger(0.0)))
PASS: padding with a gradient 0 <= 0.2 of all targets

FAIL:

>>> print(padding_is_left_out_of_the_loss(tagger(1.0)))
FAIL: padding with a gradient 0.87 > 0.2 of all targets

## Fix
Fill targets with -100 where they are padding, or set `ignore_index` to the padding id; count only real positions when
evaluating.

## Sources
- PyTorch documentation of CrossEntropyLoss: ignore_index
"""

from diagkit.evidence.wrong_thing import AskedPositions
from diagkit.finding import Finding, at_most, passed

MAX_SHARE = 0.2  # of all targets; see "Threshold"

SPEAKS_FOR = ("padding_in_loss",)


def padding_is_left_out_of_the_loss(asked_positions: AskedPositions, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of padding among the targets that get a gradient."""
    fill, asked = asked_positions.padding, asked_positions
    if fill is None or not asked.padded_inputs or len(asked.shares) < 3:
        return passed("no target is padding")
    stops = asked.place is not None and asked.place + asked.loss_shift > 0 and not asked.common_end
    if stops:
        return passed(f"padding (id {fill}) is what examples end with, so it is learned")
    share = asked.shares[fill] * asked.asked[fill]
    return at_most(share, max_share, what="padding with a gradient", unit="of all targets").means("padding_in_loss")
