"""Do the targets belong to their inputs?

## Why it matters
A model cannot learn a relation that its data does not have. It then learns how often each target occurs, and the loss
falls at first, so that nothing looks broken.

## Threshold
`MIN_BEATS_RANDOM = 0.65` of the rows: an input is more associated with its own target than with a random row's;
chance is 0.50. Measured on 5,000 real English-French pairs and on samples of 500 and 200 of them, five seeds each
(`benchmarks/alignment.py`): intact 0.76 to 0.94, shuffled 0.43 to 0.55. `MIN_BEATS_NEIGHBOUR = 0.55`, against the
rows before and after, finds a shift by one row, which a sorted corpus hides: intact 0.66 to 0.82, shifted 0.42 to
0.50. Length correlation 0.80 and anchor agreement 0.25 are the tutorial's thresholds. Intact French and English do
not reach them, so they decide only where both are reached and the rows are too few for the association.

## Cost
Counts word pairs: a second for 5,000 rows. No model.

## Examples
PASS, a real corpus, although lengths and anchors look bad:

>>> from diagkit.evidence.data import Alignment
>>> print(targets_match_inputs(Alignment(5000, 0.94, 0.81, 0.34, 0.07, 0.81)))
PASS: own target beats a random one 0.94 >= 0.65 of rows (next row's: 0.81; length correlation 0.34, anchors 0.07)

FAIL, the same corpus with one side shuffled:

>>> print(targets_match_inputs(Alignment(5000, 0.51, 0.5, 0.0, 0.07, 0.81)))
FAIL: own target beats a random one 0.51 < 0.65 of rows (next row's: 0.50; length correlation 0.00, anchors 0.07)

## Fix
Realign or rebuild the corpus: read both sides from one table, shuffle pairs and never sides.

## Sources
- Church and Hanks, Word association norms, mutual information, and lexicography (1990)
- The tutorial's alignment check, whose two thresholds are kept as supporting figures
"""

from dataclasses import replace

from diagkit.evidence.data import Alignment
from diagkit.finding import Finding, at_least, passed, skipped

MIN_BEATS_RANDOM = 0.65  # share of rows; see "Threshold"
MIN_BEATS_NEIGHBOUR = 0.55  # share of rows; see "Threshold"
MIN_LENGTH_CORRELATION = 0.80  # published
MIN_ANCHORS = 0.25  # share of rows, published
MIN_ROWS = 50  # convention: at fewer rows a share of 0.65 is within two standard errors of chance

SPEAKS_FOR = ("misaligned_targets",)


def targets_match_inputs(
    alignment: Alignment,
    *,
    min_beats_random: float = MIN_BEATS_RANDOM,
    min_beats_neighbour: float = MIN_BEATS_NEIGHBOUR,
) -> Finding:
    """Judge the association of the two sides of a parallel corpus."""
    support = f"length correlation {alignment.length_correlation:.2f}, anchors {alignment.anchor_agreement:.2f}"
    if alignment.ids and not alignment.beats_random >= min_beats_random:
        share = f"an id sequence beats a random one in {alignment.beats_random:.2f} of rows"
        return skipped(f"{share}; sequences over one small alphabet say little by association")
    if alignment.rows < MIN_ROWS:
        if alignment.length_correlation >= MIN_LENGTH_CORRELATION and alignment.anchor_agreement >= MIN_ANCHORS:
            return passed(f"{alignment.rows} rows are too few for association, but {support}")
        return skipped(f"{alignment.rows} rows are too few to learn which words belong together ({support})")
    if (
        not alignment.ids
        and alignment.beats_random >= min_beats_random
        and alignment.beats_neighbour < min_beats_neighbour
    ):
        shifted = at_least(
            alignment.beats_neighbour,
            min_beats_neighbour,
            what="own target beats the next row's",
            unit="of rows",
        )
        return replace(shifted, text=f"{shifted.text} ({support})").means("misaligned_targets")
    own = at_least(alignment.beats_random, min_beats_random, what="own target beats a random one", unit="of rows")
    text = f"{own.text} (next row's: {alignment.beats_neighbour:.2f}; {support})"
    return replace(own, text=text).means("misaligned_targets")
