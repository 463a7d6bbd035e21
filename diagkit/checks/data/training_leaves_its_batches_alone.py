"""Does a training step leave the batch as it was?

## Why it matters
Where the loader keeps its batches, a model or loss that works in place trains on other data in every epoch.

## Threshold
`MAX_CHANGED = 0` parts of a batch may be changed by a second step on it, where the loader hands out the same tensors
at every reading. A change that the second step does not repeat does no harm.

## Cost
Two steps on a copy of the model; only where batches are kept.

## Examples
>>> from diagkit.evidence.data import BatchChange

PASS:

>>> print(training_leaves_its_batches_alone(BatchChange([], True, "the model or the loss")))
PASS: parts of a kept batch that a step changes 0 <= 0

FAIL:

>>> print(training_leaves_its_batches_alone(BatchChange(["inputs"], True, "the model or the loss")))
FAIL: parts of a kept batch that a step changes 1 > 0: inputs, by the model or the loss

## Fix
Use operations without a trailing underscore on inputs and targets, or clone them first.

## Sources
- PyTorch documentation, Autograd mechanics: in-place operations
"""

from dataclasses import replace

from diagkit.evidence.data import BatchChange
from diagkit.finding import Finding, at_most

MAX_CHANGED = 0  # parts of a batch; see "Threshold"

SPEAKS_FOR = ("data_mutated",)


def training_leaves_its_batches_alone(batch_change: BatchChange, *, max_changed: int = MAX_CHANGED) -> Finding:
    """Judge what a step changes in its batch."""
    changed = batch_change.changed
    finding = at_most(float(len(changed)), max_changed, what="parts of a kept batch that a step changes")
    if finding:
        return finding
    return replace(finding, text=f"{finding.text}: {', '.join(changed)}, by {batch_change.by}").means("data_mutated")
