"""Do the inputs differ from one another?

## Why it matters
A pipeline that hands over the same input again and again (an image divided as integers, a failed download replaced by
zeros) leaves nothing to learn but how often each target occurs.

## Threshold
`MAX_SHARE = 0.9` of the examples may have exactly the commonest input. Measured on 45 healthy programs: at most 0.01.

## Cost
One hash per example.

## Examples
>>> from diagkit.evidence.data import EqualInputs

PASS:

>>> print(inputs_differ(EqualInputs(1200, 1.0, 0.0, 0.0, 0.001, 200.0)))
PASS: examples with the commonest input 0.001 <= 0.9

FAIL, all zeros:

>>> print(inputs_differ(EqualInputs(1200, 0.001, 1.0, 0.9, 1.0, 0.0)))
FAIL: examples with the commonest input 1 > 0.9

## Fix
Look at one batch where the model receives it, then one step earlier, until it differs from what you expect.

## Sources
- Slavv, 37 reasons why your neural network is not working (2017): is the input data sensible?
"""

from diagkit.evidence.data import EqualInputs
from diagkit.finding import Finding, at_most, skipped

MAX_SHARE = 0.9  # of the examples; see "Threshold"
MIN_ROWS = 20  # convention

SPEAKS_FOR = ("destroyed_inputs",)


def inputs_differ(equal_inputs: EqualInputs, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of the commonest input."""
    if equal_inputs.rows < MIN_ROWS:
        return skipped(f"{equal_inputs.rows} examples are too few")
    return at_most(equal_inputs.commonest, max_share, what="examples with the commonest input").means(
        "destroyed_inputs"
    )
