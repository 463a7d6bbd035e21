"""Are inputs and targets free of NaN and infinity?

## Why it matters
One such value makes the loss NaN and every weight after it.

## Threshold
`MAX_SHARE = 0` of the examples, unless the loss of their batch is finite all the same: a model may handle missing
values, and a mask of 0 and minus infinity is meant to be added.

## Cost
Reads the samples; a forward pass for batches that hold such values.

## Examples
>>> from diagkit.evidence.data import NonfiniteExamples

PASS:

>>> print(inputs_are_finite(NonfiniteExamples(1200, {})))
PASS: examples with NaN or infinity that reach the loss 0 <= 0

FAIL:

>>> print(inputs_are_finite(NonfiniteExamples(1200, {"training inputs": 0.01})))
FAIL: examples with NaN or infinity that reach the loss 0.01 > 0 (1.0 % of training inputs)

## Fix
Find the column or file they come from; drop or impute, and assert `torch.isfinite(x).all()` where data is read.

## Sources
- Slavv, 37 reasons why your neural network is not working (2017): check for corrupt input
"""

from dataclasses import replace

from diagkit.evidence.data import NonfiniteExamples
from diagkit.finding import Finding, at_most

MAX_SHARE = 0.0  # of the examples; see "Threshold"

SPEAKS_FOR = ("nonfinite_inputs",)


def inputs_are_finite(nonfinite_examples: NonfiniteExamples, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of examples whose values are not finite and reach the loss."""
    worst = max(nonfinite_examples.shares.values(), default=0.0)
    finding = at_most(worst, max_share, what="examples with NaN or infinity that reach the loss")
    if finding:
        return finding
    where = ", ".join(f"{share:.1%} of {part}".replace("%", " %") for part, share in nonfinite_examples.shares.items())
    return replace(finding, text=f"{finding.text} ({where})").means("nonfinite_inputs")
