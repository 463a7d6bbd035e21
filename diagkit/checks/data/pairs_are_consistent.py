"""Do the training pairs belong together as well as the validation pairs?

## Why it matters
Part of the pairs of a crawled corpus is wrong: the model learns around them, slowly, and its loss stays high on
training while validation looks fine.

## Threshold
`MAX_GAP = 0.1` between the share of validation rows and of training rows whose own target is more associated with the
source than another row's, both by what is learnt on the same training rows, and `MIN_SIGMAS = 3` standard errors.
`tests/test_alignment.py` tries synthetic pairs with and without wrong ones among them.

## Cost
None beyond the alignment probe.

## Examples
>>> from diagkit.evidence.data import Alignment
>>> def pairs(train, val): return Alignment(1500, train, train, 0.9, 0.5, 0.9, False, 400, val)

PASS:

>>> print(pairs_are_consistent(pairs(0.98, 0.98)))
PASS: validation pairs over training pairs 0 <= 0.1 of rows

FAIL, two in five training pairs are wrong:

>>> print(pairs_are_consistent(pairs(0.78, 0.97)))
FAIL: validation pairs over training pairs 0.19 > 0.1 of rows (own target wins in 0.97 and 0.78)

## Fix
Score every training pair by a model that was trained on the others, and drop the worst.

## Sources
- Khayrallah and Koehn, On the impact of various types of noise on neural machine translation (2018)
"""

from dataclasses import replace

from diagkit.evidence.data import Alignment
from diagkit.finding import Finding, at_most, skipped

MAX_GAP = 0.1  # of rows; see "Threshold"
MIN_SIGMAS = 3.0  # standard errors; convention
MIN_ROWS = 100
MIN_VAL = 0.65  # less is no relation, as in `targets_match_inputs`

SPEAKS_FOR = ("label_noise",)


def pairs_are_consistent(alignment: Alignment, *, max_gap: float = MAX_GAP) -> Finding:
    """Compare how often the own target wins in both parts."""
    its = alignment
    if its.val_rows < MIN_ROWS or its.rows < MIN_ROWS:
        return skipped(f"{its.rows} training and {its.val_rows} validation pairs are too few")
    if not its.val_beats_random >= MIN_VAL:
        return skipped("training pairs say nothing of validation pairs, so there is nothing to be consistent with")
    shares = ((its.beats_random, its.rows), (its.val_beats_random, its.val_rows))
    error = sum(share * (1 - share) / rows for share, rows in shares) ** 0.5
    limit = max(max_gap, MIN_SIGMAS * error)
    gap = its.val_beats_random - its.beats_random
    finding = at_most(gap, limit, what="validation pairs over training pairs", unit="of rows")
    text = f"{finding.text} (own target wins in {its.val_beats_random:.2f} and {its.beats_random:.2f})"
    return finding if finding else replace(finding, text=text).means("label_noise")
