"""Are training inputs as clear as validation inputs?

## Why it matters
Noise that is larger than what the inputs are about leaves little to learn. Some noise is augmentation and does good.

## Threshold
A learner that was fitted to training examples does better on validation than on unseen training examples (a gap of
`MAX_GAP = 0.1` of correlation), while training inputs lie `MAX_LOOSENESS = 1.5` times as far apart as validation
inputs. Measured on 45 healthy programs, 6 of them with augmentation: gap up to 0.08, looseness 0.91 to 1.28; with
noise twice as large as the inputs: gap 0.1 to 0.5, looseness 2.1 to 6.7.

Noise in both parts alike is a property of the task, and passes. Training inputs that lie nearer together than
`MIN_LOOSENESS = 0.5` of validation inputs were given the same random draws, or were prepared in another way.

## Cost
Fits a simple learner seven times to up to 1,000 examples, as for `labels_are_consistent`.

## Examples
>>> from diagkit.evidence.data import InputDependence

PASS:

>>> clear = InputDependence(1000, 0.78, 0.01, "ridge", 300, 0.72, 0.02, 0.74, 0.78, 1.0, 1.0)
>>> print(training_inputs_outweigh_their_noise(clear))
PASS: distance of training inputs in units of validation inputs 1 <= 1.5

FAIL, noise twice as large as the digits:

>>> drowned = InputDependence(1000, 0.39, 0.01, "ridge", 300, 0.72, 0.02, 0.27, 0.69, 1.0, 5.5)
>>> print(training_inputs_outweigh_their_noise(drowned))
FAIL: distance of training inputs in units of validation inputs 5.5 > 1.5; skill 0.39 against 0.69

## Fix
Compare a training input with a validation input by eye; lower the strength of the noise or of the augmentation.

## Sources
- The mutation operator "add noise to training data", DeepCrime (2021)
"""

from dataclasses import replace

from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, at_least, at_most, passed, skipped

MAX_LOOSENESS = 1.5  # in units of validation; see "Threshold"
MIN_LOOSENESS = 0.5  # in units of validation; see "Threshold"
MIN_ROWS = 200  # fewer lie together by chance
MAX_GAP = 0.1  # of correlation; see "Threshold"
MIN_SIGMAS = 3.0  # standard deviations; convention

SPEAKS_FOR = ("noisy_inputs", "repeated_batches", "inconsistent_preprocessing")
EXPLAINED_BY = ("split_leak", "destroyed_inputs", "nonfinite_inputs", "data_mutated", "target_leakage")


def training_inputs_outweigh_their_noise(
    input_dependence: InputDependence, *, max_looseness: float = MAX_LOOSENESS, max_gap: float = MAX_GAP
) -> Finding:
    """Judge the spread of training inputs, and whether they are harder to understand."""
    its = input_dependence
    if its.val_rows == 0 or its.val_skill < MIN_SIGMAS * its.val_spread:
        return skipped("there is no validation part that simple learners understand")
    what = "distance of training inputs in units of validation inputs"
    if its.looseness < MIN_LOOSENESS and its.rows >= MIN_ROWS:
        alike = at_least(its.looseness, MIN_LOOSENESS, what=what)
        return alike.suggests("repeated_batches", "inconsistent_preprocessing", unless=EXPLAINED_BY)
    finding = at_most(its.looseness, max_looseness, what=what)
    if finding:
        return finding
    gap = min(its.transfer_skill - its.skill, its.val_skill - its.equal_skill)
    if gap < max(max_gap, MIN_SIGMAS * its.chance_spread):
        return passed(f"{finding.text}, but unseen training examples are predicted about as well as validation ones")
    text = f"{finding.text}; skill {its.skill:.2f} against {its.transfer_skill:.2f}"
    return replace(finding, text=text).means("noisy_inputs")
