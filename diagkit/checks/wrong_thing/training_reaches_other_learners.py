"""Does the training reach what other learners reach?

## Why it matters
A network without activations is one linear layer, however deep; one that is too narrow stops at what it can hold. Its
training looks healthy: the loss falls and then stays, with no gap to validation.

## Threshold
`MAX_LACK = 0.25` of the way from guessing to perfect, and `MIN_SIGMAS = 3` standard errors: by so much may a random
forest or nearest neighbours be better on validation examples than the model is on its own training examples. Measured
on 67 healthy programs, one seed: at most 0.03; a repaired linear probe 0.09; underfitting ones 0.58 and 0.71.

## Cost
Fits a random forest of 60 trees and nearest neighbours on at most 2,000 examples.

## Examples
PASS:

>>> from diagkit.evidence.fit import IndependentLearner
>>> print(training_reaches_other_learners(IndependentLearner("a random forest", 1200, 300, 0.97, 0.95, 0.99, 0.02)))
PASS: a random forest is ahead by -0.02 <= 0.25 (0.97 on validation, the model 0.99 on its training examples)

FAIL, no activation between the layers:

>>> print(training_reaches_other_learners(IndependentLearner("a random forest", 1200, 300, 1.0, 0.34, 0.42, 0.04)))
FAIL: a random forest is ahead by 0.58 > 0.25 (1.00 on validation, the model 0.42 on its training examples)

## Fix
Look for missing activations first, then widen or deepen the model until it can overfit the training examples.

## Sources
- Karpathy, A recipe for training neural networks (2019): baselines, overfit
- Google, Deep learning tuning playbook
"""

from dataclasses import replace

from diagkit.evidence.fit import IndependentLearner
from diagkit.faults import vocabulary
from diagkit.finding import Finding, at_most

MAX_LACK = 0.25  # of the way from guessing to perfect; see "Threshold"
MIN_SIGMAS = 3.0  # convention; see "Threshold"

SPEAKS_FOR = ("underfitting",)
FIT = ("overfitting", "undertrained", "underfitting")
LEAKS = ("contaminated_test", "split_leak", "target_leakage")  # memory gains by them
EXPLAINED_BY = (
    *(name for name, fault in vocabulary().items() if fault.question in ("data", "learning")),
    *(name for name, fault in vocabulary().items() if fault.question == "wrong_thing" and name not in FIT),
    "training_in_eval_mode",
    "stale_normalization",
    "weights_not_loaded",
    "vocabulary_rebuilt",
    "undertrained",
    *LEAKS,
)


def training_reaches_other_learners(
    independent_learner: IndependentLearner, *, max_lack: float = MAX_LACK, min_sigmas: float = MIN_SIGMAS
) -> Finding:
    """Compare another learner on validation with the model on what it was trained on."""
    its = independent_learner
    lack = its.its_skill - max(its.model_train_skill, its.model_skill)
    finding = at_most(lack, max(max_lack, min_sigmas * its.spread), what=f"{its.learner} is ahead by")
    both = f"{its.its_skill:.2f} on validation, the model {its.model_train_skill:.2f} on its training examples"
    return replace(finding, text=f"{finding.text} ({both})").suggests("underfitting", unless=EXPLAINED_BY)
