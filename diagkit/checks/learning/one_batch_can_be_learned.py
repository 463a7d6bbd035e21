"""Can the model learn one batch by heart?

## Why it matters
A model that cannot even do that has a fault in architecture, loss or gradient; more data or time will not help.

## Threshold
`MIN_FALL = 0.1` of the loss within 200 steps of Adam at 1e-3 (convention: a model that only reads means gets that far),
with at most `MAX_CLIPPED = 0.5` of the steps cut at a gradient norm of 100: a loss that comes down from an explosion is
no success. Asked where the run did not halve its loss.

## Cost
Nothing for a run that went well; otherwise 200 steps on a copy, at most 8 seconds.

## Examples
PASS:

>>> from diagkit.evidence.learning import OneBatch
>>> print(one_batch_can_be_learned(OneBatch(200, 2.3, 0.01, 0.0, 3.0)))
PASS: loss of one batch falls by 0.996 >= 0.1 of its start

FAIL:

>>> print(one_batch_can_be_learned(OneBatch(200, 2.3, 2.29, 0.0, 0.1)))
FAIL: loss of one batch falls by 0.00435 < 0.1 of its start

FAIL, an explosion is no pass:

>>> print(one_batch_can_be_learned(OneBatch(200, 5e6, 1e3, 0.9, 1e9)))
FAIL: share of steps with a gradient norm above 100 0.9 > 0.5

## Fix
Take parts away until one batch can be learned: masks, normalization, the loss; then look at the last part.

## Sources
- Karpathy, A recipe for training neural networks (2019): overfit one batch
- PyTorch Lightning, `overfit_batches`; Andrew Ng's advice to start there
"""

from diagkit.checks.learning.rate_suits_the_task import EXPLAINED_BY as DISTURBED
from diagkit.evidence.learning import OneBatch
from diagkit.finding import Finding, at_least, at_most

MIN_FALL = 0.1  # of the loss; see "Threshold"
MAX_CLIPPED = 0.5  # of the steps
MAX_START = 100.0  # a loss in units of its own may have large gradients all the time

SPEAKS_FOR = ("underfitting", "exploding_gradients")
EXPLAINED_BY = (
    *DISTURBED,
    "learning_rate_too_low",
    "learning_rate_too_high",
    "nonfinite_values",
    "dead_units",
    "saturated_units",
    "collapsed_output",
    "overlapping_classes",
    "target_masked",
    "noisy_inputs",
)


def one_batch_can_be_learned(
    one_batch: OneBatch, *, min_fall: float = MIN_FALL, max_clipped: float = MAX_CLIPPED
) -> Finding:
    """Ask for the fall of the loss, and first whether the gradients exploded."""
    exploded = at_most(one_batch.clipped, max_clipped, what="share of steps with a gradient norm above 100")
    if not exploded and one_batch.largest_norm > MAX_START * max(one_batch.start, 1.0):
        return exploded.suggests("exploding_gradients", unless=EXPLAINED_BY)
    fall = (one_batch.start - one_batch.end) / max(abs(one_batch.start), 1e-12)
    finding = at_least(fall, min_fall, what="loss of one batch falls by", unit="of its start")
    return finding.suggests("underfitting", unless=(*EXPLAINED_BY, "exploding_gradients"))
