"""Are all values finite on the way from the inputs to the gradients?

## Why it matters
NaN spreads to everything behind it; the first module that makes one is the place to look.

## Threshold
None: one loss or gradient that is not finite, from finite inputs, is enough. An infinity inside is fine (an additive
mask).

## Cost
Forward and backward passes of up to ten batches, with a hook on every module.

## Examples
PASS:

>>> from diagkit.evidence.learning import FiniteValues
>>> print(values_are_finite(FiniteValues(10, True, "", 2.3, [])))
PASS: loss and gradients of 10 batches are finite

FAIL:

>>> print(values_are_finite(FiniteValues(1, True, "encoder.norm", float("nan"), [])))
FAIL: the loss of batch 1 is nan; the first module to give such values is encoder.norm

FAIL, only backward:

>>> print(values_are_finite(FiniteValues(3, True, "", 0.4, ["scale"])))
FAIL: the gradient of scale is not finite in batch 3, though the loss is

SKIP:

>>> print(values_are_finite(FiniteValues(1, False, "", float("nan"), [])))
SKIP: the data of batch 1 are not finite themselves

## Fix
Look at that module for a division, logarithm, root or exponential; a gradient alone comes from a root or norm at zero.

## Sources
- PyTorch documentation of `torch.autograd.detect_anomaly`
"""

import math

from diagkit.evidence.learning import FiniteValues
from diagkit.finding import Finding, failed, passed, skipped

SPEAKS_FOR = ("nonfinite_values",)


def values_are_finite(finite_values: FiniteValues) -> Finding:
    """Name the place where the first value that is not finite arises."""
    f = finite_values
    if not f.inputs:
        return skipped(f"the data of batch {f.batches} are not finite themselves")
    if f.gradients:
        text = f"the gradient of {f.gradients[0]} is not finite in batch {f.batches}, though the loss is"
        return failed(text).means("nonfinite_values")
    if not math.isfinite(f.loss):
        where = f"the first module to give such values is {f.module}" if f.module else "the outputs are finite"
        return failed(f"the loss of batch {f.batches} is {f.loss}; {where}").means("nonfinite_values")
    return passed(f"loss and gradients of {f.batches} batches are finite")
