"""Are training labels as consistent as validation labels?

## Why it matters
Wrong labels put a ceiling on what can be learnt, and a model that is large enough learns them by heart.

## Threshold
A learner that was fitted to training examples should do as well on unseen training examples as on validation ones. It
does better on validation where training labels are wrong. `MAX_GAP = 0.1` of correlation, in both comparisons:
training to validation, and each part within itself; and `MIN_SIGMAS = 3` standard deviations. Measured on 45 healthy
programs: gap -0.18 to 0.08; with 20 % wrong training labels 0.10 to 0.50, with 30 % 0.12 to 0.56.

Labels that are equally wrong in both parts look like a task that is noisy by nature, and pass. Where training inputs
lie further apart than validation inputs (`MAX_LOOSENESS = 1.5`), the inputs may be what is noisy, which
`training_inputs_outweigh_their_noise` judges.

## Cost
Fits a simple learner seven times to up to 1,000 examples.

## Examples
>>> from diagkit.evidence.data import InputDependence

PASS:

>>> print(labels_are_consistent(InputDependence(1000, 0.78, 0.01, "ridge regression", 300, 0.72, 0.02, 0.74, 0.78)))
PASS: skill on validation over unseen training examples 0 <= 0.1 of correlation

FAIL, three training labels in ten are wrong:

>>> print(labels_are_consistent(InputDependence(1000, 0.44, 0.01, "ridge regression", 300, 0.72, 0.02, 0.36, 0.73)))
FAIL: skill on validation over unseen training examples 0.29 > 0.1 of correlation (0.73 against 0.44)

## Fix
Read the training examples that a cross-validated model contradicts with most confidence, correct or drop them, and
look at who or what labelled them.

## Sources
- Northcutt, Jiang and Chuang, Confident learning: estimating uncertainty in dataset labels (2021)
- The mutation operator "change labels of training data", DeepCrime (2021)
"""

from dataclasses import replace

from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, at_most, skipped

MAX_GAP = 0.1  # of correlation; see "Threshold"
MIN_SIGMAS = 3.0  # standard deviations; convention
MAX_LOOSENESS = 1.5  # in units of validation; see `training_inputs_outweigh_their_noise`
MAX_SHARE_RATIO = 3.0  # of a class' share in one part over the other; convention
MIN_SKILL = 0.1  # less is no relation, which `targets_depend_on_inputs` judges

SPEAKS_FOR = ("label_noise",)


def labels_are_consistent(
    input_dependence: InputDependence,
    *,
    max_gap: float = MAX_GAP,
    max_looseness: float = MAX_LOOSENESS,
    max_share_ratio: float = MAX_SHARE_RATIO,
) -> Finding:
    """Judge how much better training examples explain validation labels than other training labels."""
    its = input_dependence
    if its.val_rows == 0 or its.val_skill < MIN_SIGMAS * its.val_spread:
        return skipped("there is no validation part that simple learners understand")
    if its.skill < max(MIN_SKILL, MIN_SIGMAS * its.chance_spread):
        return skipped("simple learners find no relation in the training part, so there is none to be consistent with")
    if its.looseness > max_looseness:
        return skipped(
            "training inputs lie further apart than validation inputs: the inputs differ, not only the labels"
        )
    if its.share_ratio > max_share_ratio:
        return skipped(f"a class is {its.share_ratio:.1f} times as frequent in one part, so its skill is no measure")
    gap = its.transfer_skill - its.skill
    spread = (its.chance_spread**2 + its.val_spread**2) ** 0.5
    seen_within = its.val_skill - its.equal_skill >= max(max_gap, 2 * its.val_spread)
    limit = max(max_gap, MIN_SIGMAS * spread)
    finding = at_most(
        gap if seen_within else min(gap, limit),
        limit,
        what="skill on validation over unseen training examples",
        unit="of correlation",
    )
    if finding:
        return finding
    text = f"{finding.text} ({its.transfer_skill:.2f} against {its.skill:.2f})"
    return replace(finding, text=text).means("label_noise")
