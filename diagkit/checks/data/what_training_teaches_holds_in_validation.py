"""Does what can be learnt from training hold in validation?

## Why it matters
Each part makes sense by itself, but not together: ids, columns or classes mean something else in the other part. The
model learns well and is always wrong.

## Threshold
Simple learners find a relation in each part (`MIN_SKILL = 0.3` of correlation and four standard deviations), and less
than `MIN_SHARE = 0.33` of it when they are fitted to training and asked about validation. Measured on 45 healthy
programs with splits at random, by time and by group: 0.88 to 1.3; with another numbering of words or classes: -0.1 to
0.2.

## Cost
Fits a simple learner seven times to up to 1,000 examples, as for `labels_are_consistent`.

## Examples
>>> from diagkit.evidence.data import InputDependence

PASS:

>>> same = InputDependence(1000, 0.78, 0.01, "", 300, 0.72, 0.02, 0.74, 0.77)
>>> print(what_training_teaches_holds_in_validation(same))
PASS: share of the skill that carries over to validation 1.07 >= 0.33

FAIL, the words of validation are numbered by their own frequency:

>>> other = InputDependence(1000, 0.78, 0.01, "", 300, 0.72, 0.02, 0.74, 0.05)
>>> print(what_training_teaches_holds_in_validation(other))
FAIL: share of the skill that carries over to validation 0.0694 < 0.33 (training 0.78, validation 0.72, across 0.05)

## Fix
Make tables (words, classes, columns) once, from training, and use them for every part.

## Sources
- Zinkevich, Rules of Machine Learning (Google), rules 29 to 32: training-serving skew
"""

from dataclasses import replace

from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, at_least, skipped

MIN_SKILL = 0.3  # correlation; see "Threshold"
MIN_SIGMAS = 4.0  # standard deviations; convention
MIN_SHARE = 0.33  # of the smaller skill; see "Threshold"

SPEAKS_FOR = ("inconsistent_preprocessing", "label_encoding")


def what_training_teaches_holds_in_validation(
    input_dependence: InputDependence, *, min_skill: float = MIN_SKILL, min_share: float = MIN_SHARE
) -> Finding:
    """Judge the share of the skill that carries over."""
    its = input_dependence
    if its.val_rows == 0:
        return skipped("there is no validation part")
    within = min(its.skill, its.val_skill)
    if not within >= max(min_skill, MIN_SIGMAS * its.chance_spread, MIN_SIGMAS * its.val_spread):
        return skipped("simple learners do not find a relation in each part")
    share = its.transfer_skill / within
    finding = at_least(share, min_share, what="share of the skill that carries over to validation")
    if finding:
        return finding
    figures = f"training {its.skill:.2f}, validation {its.val_skill:.2f}, across {its.transfer_skill:.2f}"
    return replace(finding, text=f"{finding.text} ({figures})").means("inconsistent_preprocessing", "label_encoding")
