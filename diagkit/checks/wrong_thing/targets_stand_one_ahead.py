"""Does the loss compare each output with the target that belongs to it?

## Why it matters
Targets for next-token prediction are made by a shift of one. Where the data and the loss both shift, or neither does,
the model learns to skip a position: the loss is fine, and nothing that it writes is right.

## Threshold
None. The gradient of the loss says with which target an output is compared, the data say where targets stand among
the inputs; for a language model or a decoder the two shifts add up to one. Where targets are no inputs, the loss must
not shift at all.

## Cost
One forward pass and one gradient of the loss with respect to the outputs.

## Examples
>>> from dataclasses import replace
>>> from diagkit.evidence.wrong_thing import AskedPositions
>>> shifted_by_the_data = AskedPositions(30, 960, "language_model", {}, {}, [], 1, False, 0, 1, 0)

PASS:

>>> print(targets_stand_one_ahead(shifted_by_the_data))
PASS: outputs are compared with the input 1 ahead

FAIL, a loss that shifts again:

>>> print(targets_stand_one_ahead(replace(shifted_by_the_data, loss_shift=1)))
FAIL: outputs are compared with the input 2 ahead: the data shift targets by 1, the loss by 1

PASS, targets that are no inputs:

>>> print(targets_stand_one_ahead(replace(shifted_by_the_data, place=None)))
PASS: outputs are compared with the target in the same place

## Fix
Shift once: either the targets in the data (`ids[:, :-1]`, `ids[:, 1:]`) or scores against targets in the loss.

## Sources
- Hugging Face transformers, pull request 46898: labels shifted twice
"""

from diagkit.evidence.wrong_thing import AskedPositions
from diagkit.finding import Finding, failed, passed

SPEAKS_FOR = ("target_shift",)


def targets_stand_one_ahead(asked_positions: AskedPositions) -> Finding:
    """Add the shift of the data and the shift of the loss."""
    place, shift = asked_positions.place, asked_positions.loss_shift
    if place is None:
        if shift == 0:
            return passed("outputs are compared with the target in the same place")
        return failed(f"the loss compares outputs with the target {shift} positions later").means("target_shift")
    ahead = place + shift
    predicting = asked_positions.task == "language_model" or asked_positions.prompt
    text = f"outputs are compared with the input {ahead} ahead"
    if ahead in (0, 1) or not predicting:  # 0 is a copy, which is asked elsewhere
        return passed(text)
    return failed(f"{text}: the data shift targets by {place}, the loss by {shift}").means("target_shift")
