"""Does an epoch hold different examples?

## Why it matters
A loader that repeats itself trains on a fraction of the data, however large the data set is.

## Threshold
`MIN_DISTINCT_BATCHES = 0.5` of the batches differ; nearly every example occurs fewer than `MAX_REPEATS = 2` times;
and `MIN_DISTINCT = 0.1` of the rows are different; inputs of fewer than `MIN_BITS = 20` bits repeat by nature. A
sampler that draws the same mixed order twice must not leave out more than `MIN_DRAWN = 0.5` of the data set. Sampling
with replacement and oversampling repeat some examples, each another number of times, and never whole batches:
measured on healthy programs 0.59 to 1 of the rows, all batches.

## Cost
Reads up to 4,000 examples of one epoch.

## Examples
>>> from diagkit.evidence.data import EpochContents

PASS, drawn with replacement:

>>> print(epoch_holds_distinct_examples(EpochContents(3000, 1760, 1760, 30, 30, 0, 90.0)))
PASS: distinct examples 0.587 >= 0.1 of rows (30 of 30 batches differ)

FAIL, two workers read the same stream:

>>> print(epoch_holds_distinct_examples(EpochContents(3000, 1500, 1500, 30, 15, 2, 90.0)))
FAIL: 15 of 30 batches differ, and nearly every example occurs 2 times in one epoch

## Fix
Look at the indices that the loader draws. Give every worker its own share (`get_worker_info`) and its own seed
(`worker_init_fn`), and read from the loader, not from one batch of it.

## Sources
- PyTorch documentation of IterableDataset: without sharding, every worker yields the same data
- Jiang et al., TrainCheck (OSDI 2025), on silent errors of data loading
"""

from dataclasses import replace

from diagkit.evidence.data import EpochContents
from diagkit.finding import Finding, at_least, failed, skipped

MIN_DISTINCT = 0.1  # of the rows; see "Threshold"
MIN_DISTINCT_BATCHES = 0.5  # see "Threshold"
MAX_REPEATS = 2  # of nearly every example; see "Threshold"
MIN_BITS = 20.0  # of an input; convention
MIN_DRAWN = 0.5  # of the data set; see "Threshold"
MIN_BATCHES = 4  # convention

SPEAKS_FOR = ("repeated_batches",)


def epoch_holds_distinct_examples(
    epoch_contents: EpochContents,
    *,
    min_distinct: float = MIN_DISTINCT,
    min_distinct_batches: float = MIN_DISTINCT_BATCHES,
    max_repeats: int = MAX_REPEATS,
    min_drawn: float = MIN_DRAWN,
) -> Finding:
    """Judge how many examples and batches of an epoch differ."""
    its = epoch_contents
    if its.same_draws and its.drawn_share < min_drawn:
        drawn = f"{its.drawn_share:.1%}".replace("%", " %")
        return failed(f"every epoch draws the same {drawn} of the data set, in the same order").means(
            "repeated_batches"
        )
    if its.bits < MIN_BITS or its.batches < MIN_BATCHES or its.distinct_inputs == 1:
        return skipped(f"{its.batches} batches of inputs with {its.bits:.0f} bits may repeat by nature")
    batches = f"{its.distinct_batches} of {its.batches} batches differ"
    if its.usual_repeats >= max_repeats:
        text = f"{batches}, and nearly every example occurs {its.usual_repeats} times in one epoch"
        return failed(text).means("repeated_batches")
    if its.distinct_batches < min_distinct_batches * its.batches:
        return failed(f"only {batches} in one epoch").means("repeated_batches")
    finding = at_least(its.distinct / its.rows, min_distinct, what="distinct examples", unit="of rows")
    return replace(finding, text=f"{finding.text} ({batches})").means("repeated_batches")
