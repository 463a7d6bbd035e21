"""Can the evaluation's figures be recounted?

## Why it matters
The mean of the batches' means gives the examples of a short last batch more weight than the others; a ratio (F1, R2,
perplexity) averaged over batches is another figure than the ratio over all. The weights are innocent, the report is
wrong.

## Threshold
`MAX_DIFFERENCE = 0.01` of the figure between the batches as they are and all examples in one batch; for an accuracy
also against a count of the hits (convention: what is smaller than a percent of itself decides nothing, and is left
alone).

## Cost
Three evaluations of the validation and of the test set.

## Examples
PASS:

>>> from diagkit.evidence.measurement import Recount
>>> print(figures_survive_a_recount(Recount(["test accuracy"], [0.801], [0.801], [0.801])))
PASS: test accuracy differs in one batch by 0 <= 0.01 of its size

FAIL, the last batch has eight reviews and weighs as much as one of 128:

>>> print(figures_survive_a_recount(Recount(["test accuracy"], [0.848], [0.801], [0.801])))
FAIL: test accuracy differs in one batch by 0.0554 > 0.01 of its size (0.848 as given, 0.801 in one batch)

FAIL, the same in every cut, but not the share of hits:

>>> print(figures_survive_a_recount(Recount(["val accuracy"], [0.91], [0.91], [0.62])))
FAIL: val accuracy differs from the count of hits by 0.319 > 0.01 of its size (0.91 as given, 0.62 counted)

## Fix
Sum hits and losses over examples and divide by their number; collect all outputs before computing a ratio.
`torchmetrics` does both.

## Sources
- https://github.com/mlcommons/training/issues/89
"""

import math
from dataclasses import replace

from diagkit.evidence.measurement import Recount
from diagkit.finding import Finding, at_most, skipped

MAX_DIFFERENCE = 0.01  # of the figure; see "Threshold"

SPEAKS_FOR = ("metric_aggregation",)


def figures_survive_a_recount(recount: Recount, *, max_difference: float = MAX_DIFFERENCE) -> Finding:
    """Judge the figure that differs most."""
    its = recount
    compared = [
        (_difference(given, other), given, other, name, against)
        for name, given, one, counted in zip(its.figures, its.as_given, its.in_one_batch, its.recounted, strict=True)
        for against, other in (("in one batch", one), ("counted", counted))
        if math.isfinite(given) and math.isfinite(other)
    ]
    if not compared:
        return skipped("the evaluation returns no figure that can be compared")
    worst, given, other, name, against = max(compared, key=lambda its: its[0])
    how = "differs in one batch by" if against == "in one batch" else "differs from the count of hits by"
    finding = at_most(worst, max_difference, what=f"{name} {how}", unit="of its size")
    if finding:
        return finding
    return replace(finding, text=f"{finding.text} ({given:.3g} as given, {other:.3g} {against})").means(
        "metric_aggregation"
    )


def _difference(one: float, two: float) -> float:
    """Return the difference in shares of the larger; a figure in percent is compared as a share."""
    if 1 < one <= 100 and 0 < two <= 1:
        one /= 100
    largest = max(abs(one), abs(two))
    return abs(one - two) / largest if largest > 1e-9 else 0.0
