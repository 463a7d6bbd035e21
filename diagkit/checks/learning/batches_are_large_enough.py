"""Is a batch large enough for what is computed from it?

## Why it matters
Batch normalization takes mean and variance of the batch; from one or two values they are noise, and one value alone
becomes zero. Without it, single examples still train, slowly and restlessly.

## Threshold
`MIN_VALUES = 4` values per channel in the typical batch of every batch normalization (convention; a convolution counts
its positions), 2 in the smallest (torch raises at 1). Measured: healthy programs 16 and more.

## Cost
One forward pass of two batches.

## Examples
PASS:

>>> from diagkit.evidence.learning import BatchSizes
>>> print(batches_are_large_enough(BatchSizes(32, 20, 1000, ["bn"], [32], [20])))
PASS: values per channel that bn normalizes 32 >= 4

FAIL:

>>> print(batches_are_large_enough(BatchSizes(2, 2, 1000, ["bn"], [2], [2])))
FAIL: values per channel that bn normalizes 2 < 4

FAIL, the last batch:

>>> print(batches_are_large_enough(BatchSizes(32, 1, 1025, ["bn"], [32], [1])))
FAIL: values per channel that bn normalizes in the smallest batch 1 < 2

SKIP:

>>> print(batches_are_large_enough(BatchSizes(1, 1, 1000, [], [], [])))
SKIP: the model has no batch normalization

## Fix
Larger batches, `drop_last=True` for the last one, or group or layer normalization.

## Sources
- Wu and He, Group normalization (2018), figure 1: the error of batch normalization over batch sizes
"""

from diagkit.evidence.learning import BatchSizes
from diagkit.finding import Finding, at_least, skipped

MIN_VALUES = 4  # per channel; see "Threshold"
MIN_LAST = 2

SPEAKS_FOR = ("batch_too_small",)


def batches_are_large_enough(batch_sizes: BatchSizes, *, min_values: int = MIN_VALUES) -> Finding:
    """Find the normalization with the fewest values."""
    b = batch_sizes
    if not b.normalizations:
        return skipped("the model has no batch normalization")
    fewest = min(b.values)
    name = b.normalizations[b.values.index(fewest)]
    finding = at_least(fewest, min_values, what=f"values per channel that {name} normalizes")
    if finding and min(b.smallest_values) < MIN_LAST:
        what = f"values per channel that {name} normalizes in the smallest batch"
        finding = at_least(min(b.smallest_values), MIN_LAST, what=what)
    return finding.means("batch_too_small")
