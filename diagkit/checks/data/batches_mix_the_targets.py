"""Does every batch hold targets of all kinds?

## Why it matters
Where training reads class after class, or from the smallest target to the largest, every step unlearns the step
before, and the last class read wins.

## Threshold
`MAX_SAMENESS = 0.5`: the share of the targets' spread that lies between batches, corrected for chance; 0 where
batches are mixed, 1 where each holds one label. Measured on 45 healthy programs, with batches in a fixed order among
them: -0.03 to 0.05; sorted by label 0.9 to 1. A label that is common in validation and that an epoch of thousands of
examples never showed counts as well.

## Cost
Reads up to 4,000 examples of one epoch.

## Examples
>>> from diagkit.evidence.data import Order

PASS:

>>> print(batches_mix_the_targets(Order(40, 1200, 0.01)))
PASS: share of the targets' spread between batches 0.01 <= 0.5 (40 batches)

FAIL, sorted by label:

>>> print(batches_mix_the_targets(Order(40, 1200, 0.93)))
FAIL: share of the targets' spread between batches 0.93 > 0.5 (40 batches)

## Fix
`DataLoader(..., shuffle=True)`; for data that is read as a stream, mix it once when it is written and keep a shuffle
buffer.

## Sources
- Bengio, Practical recommendations for gradient-based training (2012), section 3.1.1, on the order of examples
- Slavv, 37 reasons why your neural network is not working (2017): shuffle the dataset
"""

from dataclasses import replace

from diagkit.evidence.data import Order
from diagkit.finding import Finding, at_most, failed

MAX_SAMENESS = 0.5  # of the targets' spread; see "Threshold"
MIN_ROWS = 1000  # read without ever meeting a label that is common in validation; convention

OTHERWISE = ("class_imbalance", "label_encoding", "inconsistent_preprocessing")  # labels are missing for these too
SPEAKS_FOR = ("unshuffled_training",)


def batches_mix_the_targets(order: Order, *, max_sameness: float = MAX_SAMENESS) -> Finding:
    """Judge how alike the targets of one batch are."""
    if order.missing_labels and order.rows >= MIN_ROWS:
        text = f"the first {order.rows} examples lack {order.missing_labels} labels that are common in validation"
        return failed(text).suggests("unshuffled_training", unless=OTHERWISE)
    finding = at_most(order.sameness, max_sameness, what="share of the targets' spread between batches")
    return replace(finding, text=f"{finding.text} ({order.batches} batches)").means("unshuffled_training")
