"""Can the targets be predicted from the inputs at all?

## Why it matters
Where inputs that look alike have unrelated targets, either the labels were mixed up or the inputs lost what the
labels are about. No training repairs that.

## Threshold
`MIN_SKILL = 0.1` of the way from chance to perfect, and `MIN_SIGMAS = 4` standard deviations above what shuffled
targets reach. Measured on `digits`, 3 seeds:
intact 0.97 to 0.98, shuffled -0.02 to 0.03, with a chance spread of 0.01. The
nearest neighbour is a weak judge of images that differ in more than their pixels, so the threshold is low; a task
whose targets are noisy is better judged by its trained model.

## Cost
Distances between at most 1,500 training examples. No model.

## Examples
PASS, handwritten digits:

>>> from diagkit.evidence.data import InputDependence
>>> print(targets_depend_on_inputs(InputDependence(1197, 0.98, 0.013)))
PASS: nearest neighbour's skill 0.98 >= 0.1 (1 is perfect, chance 0.00 ± 0.01)

FAIL, the same digits with shuffled labels:

>>> print(targets_depend_on_inputs(InputDependence(1197, 0.01, 0.013)))
FAIL: nearest neighbour's skill 0.01 < 0.1 (1 is perfect, chance 0.00 ± 0.01)

## Fix
Print ten inputs with their targets and read them. Then follow the pair from file to batch and look where the two
are ordered separately.

## Sources
- Cover and Hart, Nearest neighbor pattern classification (1967)
- Slavv, 37 reasons why your neural network is not working (2017): check whether inputs and labels belong together
"""

from dataclasses import replace

from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, at_least

MIN_SKILL = 0.1  # of the way from chance to perfect; see "Threshold"
MIN_SIGMAS = 4.0  # standard deviations of shuffled targets; convention

SPEAKS_FOR = ("misaligned_targets", "destroyed_inputs")


def targets_depend_on_inputs(input_dependence: InputDependence, *, min_skill: float = MIN_SKILL) -> Finding:
    """Judge how well the nearest neighbour predicts the target."""
    needed = max(min_skill, MIN_SIGMAS * input_dependence.chance_spread)
    finding = at_least(input_dependence.skill, needed, what="nearest neighbour's skill")
    text = f"{finding.text} (1 is perfect, chance 0.00 ± {input_dependence.chance_spread:.2f})"
    return replace(finding, text=text).means("misaligned_targets", "destroyed_inputs")
