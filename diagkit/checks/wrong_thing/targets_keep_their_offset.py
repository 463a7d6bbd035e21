"""Do targets stand as many positions after their inputs in training as in validation?

## Why it matters
One start token more on one side, and every tag belongs to the neighbour: training learns a task that nobody asks
about.

## Threshold
`MIN_GAIN = 2`: on both sides, the own best offset tells at least so many times what the other side's best offset
tells about the targets (mutual information). Measured: 13 sound programs agree on the offset; a training with the
start token on one side only 19 and 42.

## Cost
Counts pairs of inputs and targets. No model.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import TargetOffsets
>>> print(targets_keep_their_offset(TargetOffsets(0, 0, 1.0, 1.0)))
PASS: inputs tell most about the target 0 positions later, in training and in validation

FAIL:

>>> print(targets_keep_their_offset(TargetOffsets(-1, 0, 41.9, 19.3)))
FAIL: inputs tell most about the target -1 positions later in training, 0 in validation (19.3 times as much >= 2)

## Fix
Print one example of each with inputs above targets, and add start tokens, ignored labels and shifts on both sides
alike.

## Sources
- The reference's question one: is the data what you think it is?
"""

from diagkit.evidence.wrong_thing import TargetOffsets
from diagkit.finding import Finding, failed, passed

MIN_GAIN = 2.0  # times; see "Threshold"

SPEAKS_FOR = ("target_shift",)


def targets_keep_their_offset(target_offsets: TargetOffsets, *, min_gain: float = MIN_GAIN) -> Finding:
    """Compare the offsets at which inputs tell most."""
    train, val = target_offsets.train_offset, target_offsets.val_offset
    gain = min(target_offsets.train_gain, target_offsets.val_gain)
    if train == val:
        return passed(f"inputs tell most about the target {train} positions later, in training and in validation")
    text = f"inputs tell most about the target {train} positions later in training, {val} in validation"
    if gain < min_gain:
        return passed(f"{text}, but hardly more than at the other's ({gain:.3g} times < {min_gain:g})")
    return failed(f"{text} ({gain:.3g} times as much >= {min_gain:g})").means("target_shift")
