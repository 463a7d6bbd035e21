"""Does no input column give the target away?

## Why it matters
A column that is made from the target (a code filled in after the diagnosis, a price that contains the tax to be
predicted) is there in every split, so every score is excellent, until the model meets a row whose target nobody knows
yet.

## Threshold
`MIN_SKILL = 0.98`: one column alone predicts the target nearly perfectly (rank correlation, 2 AUC - 1, or accuracy on
the way from the majority's to 1), and `MAX_OTHERS = 0.9` of the errors or of the variance is what all others together
explain. An honest task that one column decides and the others do as well is not a leak, unless that column decides it
without a single mistake (`EXACT = 0.9999`) and no other comes near (`MAX_SECOND = 0.8`). Leaks are rarely complete: a
column that is filled in for one of two classes only (`FILLED = 0.85` of the one more than of the other) and that no
other comes near is one too. Measured:
healthy at most 0.94 (breast cancer) and, beside broken programs, 0.96; leaking 1.00 twice, others 0.53 and 0.56.

## Cost
One rank correlation or small tree per column, and at most one random forest.

## Examples
PASS, an honest dominant feature:

>>> from diagkit.evidence.measurement import ColumnSkill
>>> print(no_column_gives_the_target_away(ColumnSkill(800, 12, 0.87, 0.52, 3, "rank correlation")))
PASS: best column's rank correlation 0.87 <= 0.98

FAIL:

>>> print(no_column_gives_the_target_away(ColumnSkill(800, 12, 0.999, 0.52, 7, "rank correlation", 0.55)))
FAIL: best column's rank correlation 0.999 > 0.98 (column 7; the second best has 0.52, all others together explain 55 %)

PASS, neighbouring values of a smooth series all know the next one:

>>> print(no_column_gives_the_target_away(ColumnSkill(800, 24, 0.998, 0.99, 23, "rank correlation", 0.98)))
PASS: best column's rank correlation 0.998, but all others together explain 98 % as well

## Fix
Ask of this column when its value becomes known. Leave it out if that is not before the prediction is needed.

## Sources
- Kaufman et al., Leakage in data mining: formulation, detection, and avoidance (2012)
"""

from dataclasses import replace

from diagkit.evidence.measurement import ColumnSkill
from diagkit.finding import Finding, at_most, passed

MIN_SKILL = 0.98  # see "Threshold"
MAX_OTHERS = 0.9  # of errors or variance; see "Threshold"
EXACT, MAX_SECOND = 0.9999, 0.8  # see "Threshold"
FILLED = 0.85  # of the rows; see "Threshold"

SPEAKS_FOR = ("target_leakage",)


def no_column_gives_the_target_away(
    column_skill: ColumnSkill, *, min_skill: float = MIN_SKILL, max_others: float = MAX_OTHERS
) -> Finding:
    """Judge the best column beside all others."""
    its = column_skill
    filled = at_most(its.filled, FILLED, what=f"column {its.column} has its commonest value in one class more often by")
    if its.filled > FILLED and its.second <= MAX_SECOND:
        text = f"{filled.text} of the rows; the second best column has {its.second:.2f}"
        return replace(filled, text=text).means("target_leakage")
    finding = at_most(its.best, min_skill, what=f"best column's {its.measure}")
    if finding:
        return finding
    others = f"{its.all_together:.0%}".replace("%", " %")
    exact = its.best >= EXACT and its.second <= MAX_SECOND
    if its.all_together > max_others and not exact:
        text = f"best column's {its.measure} {its.best:.3g}, but all others together explain {others} as well"
        return passed(text)
    beside = f"the second best has {its.second:.2f}, all others together explain {others}"
    text = f"{finding.text} (column {its.column}; {beside})"
    return replace(finding, text=text).means("target_leakage")
