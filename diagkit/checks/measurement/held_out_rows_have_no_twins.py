"""Do held-out rows keep their distance from training rows?

## Why it matters
Two recordings of one patient, two crops of one picture, a row and its noisy copy: split at random, the model
recognizes the observation instead of solving the task, and the score falls where it meets new ones.

## Threshold
`MAX_SHARE = 0.2` of the held-out rows may lie nearer to a training row than one in a thousand neighbours would by
chance. Measured on 67 healthy
programs, one seed: at most 0.053 (digits); a random split of recordings by speaker 0.98.

## Cost
Distances of at most 1,500 rows to at most 4,000. No model.

## Examples
PASS, a split by patient: training rows have twins, held-out rows have none:

>>> from diagkit.evidence.measurement import NearDuplicates
>>> print(held_out_rows_have_no_twins(NearDuplicates(300, "test", 0.003, 0.95, 7.1)))
PASS: test rows with a twin in training 0.003 <= 0.2

FAIL, a random split:

>>> print(held_out_rows_have_no_twins(NearDuplicates(300, "test", 0.96, 0.95, 7.1)))
FAIL: test rows with a twin in training 0.96 > 0.2 (training rows among themselves: 95 %)

## Fix
Split by the unit that must not be shared (`sklearn.model_selection.GroupShuffleSplit`), before copies, crops and
augmentations are made.

## Sources
- Levina and Bickel, Maximum likelihood estimation of intrinsic dimension (2004)
- Kaufman et al., Leakage in data mining (2012)
"""

from dataclasses import replace

from diagkit.evidence.measurement import NearDuplicates
from diagkit.finding import Finding, at_most

MAX_SHARE = 0.2  # of the held-out rows; see "Threshold"

SPEAKS_FOR = ("split_leak",)


def held_out_rows_have_no_twins(near_duplicates: NearDuplicates, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of held-out rows that have a twin in training."""
    finding = at_most(near_duplicates.too_near, max_share, what=f"{near_duplicates.split} rows with a twin in training")
    if finding:
        return finding
    among = f"training rows among themselves: {near_duplicates.too_near_in_train:.0%}".replace("%", " %")
    return replace(finding, text=f"{finding.text} ({among})").means("split_leak")
