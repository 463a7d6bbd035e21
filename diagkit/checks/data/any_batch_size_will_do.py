"""Do model and loss take a batch of any size?

## Why it matters
A size that is written into the model, or a reshape that fits only one size, mixes examples silently as long as the
sizes happen to fit, and crashes on the last batch of an epoch or in production.

## Threshold
`MAX_PROBLEMS = 0`: seven examples, a prime number, must give seven outputs and a finite loss where a whole batch
does. Measured on 45 healthy programs: 0 problems.

## Cost
Three forward passes of one batch.

## Examples
>>> from diagkit.evidence.data import OddBatch

PASS:

>>> print(any_batch_size_will_do(OddBatch(7, 32, "")))
PASS: problems with 7 examples instead of 32 0 <= 0

FAIL, `view(32, -1)`:

>>> print(any_batch_size_will_do(OddBatch(7, 32, "RuntimeError: shape '[32, -1]' is invalid for input of size 448")))
FAIL: problems with 7 examples instead of 32 1 > 0: RuntimeError: shape '[32, -1]' is invalid for input of size 448

## Fix
Take sizes from the input (`x.shape[0]`, `flatten(1)`) and name axes in comments beside every `view` and `permute`.

## Sources
- The diagnostics catalogue: batch 7, length 13, width 17
"""

from dataclasses import replace

from diagkit.evidence.data import OddBatch
from diagkit.finding import Finding, at_most

MAX_PROBLEMS = 0  # see "Threshold"

SPEAKS_FOR = ("axis_mixup",)


def any_batch_size_will_do(odd_batch: OddBatch, *, max_problems: int = MAX_PROBLEMS) -> Finding:
    """Judge what happened with an odd batch."""
    what = f"problems with {odd_batch.rows} examples instead of {odd_batch.usual_rows}"
    finding = at_most(float(bool(odd_batch.problem)), max_problems, what=what)
    if finding:
        return finding
    return replace(finding, text=f"{finding.text}: {odd_batch.problem}").suggests("axis_mixup")
