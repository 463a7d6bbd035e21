"""Does the trained model more than repeat its input?

## Why it matters
Where input and target look alike (denoising, correcting, rewriting), repeating the input is a cheap answer that
scores well on a loss and does nothing.

## Threshold
Ids: `MIN_COPIED = 0.5` of the answers repeat the input in the same place although at most `MAX_RIGHT = 0.25` of the
targets do. Numbers: less than `MAX_CHANGE = 0.05` of the way from input to target (squared) lies between input and
answer. Conventions: no measured program copies.
Trained sequence models repeat 0 to 0.12 of their inputs, one with a bad start 0.46; a denoiser goes 0.73 of the way.

## Cost
A forward pass of at most 512 validation examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import TrainedAnswers
>>> print(answers_are_no_copies(TrainedAnswers(400, 0.6, copied=0.1, copied_by_target=0.1)))
PASS: answers repeat the input by 0.1, targets by 0.1

FAIL:

>>> print(answers_are_no_copies(TrainedAnswers(400, 0.6, copied=0.97, copied_by_target=0.1)))
FAIL: answers repeat the input by 0.97, targets by 0.1

SKIP:

>>> print(answers_are_no_copies(TrainedAnswers(400, 0.6)))
SKIP: answers and inputs are not of one kind

## Fix
Look whether the target leaks into the input, whether loss and data agree on the shift, and whether the corruption is
strong enough to be worth removing.

## Sources
- Vincent et al., Extracting and composing robust features with denoising autoencoders (2008): identity is the trivial
  answer"""

from diagkit.evidence.wrong_thing import TrainedAnswers
from diagkit.finding import Finding, failed, passed, skipped

MIN_COPIED = 0.5  # of the answers; see "Threshold"
MAX_RIGHT = 0.25  # of the targets; see "Threshold"
MAX_CHANGE = 0.05  # of the squared way from input to target; see "Threshold"

SPEAKS_FOR = ("copying_source",)
EXPLAINED_BY = (
    "future_leak",
    "target_shift",
    "zero_learning_rate",
    "learning_rate_too_low",
    "undertrained",
    "wrong_sign",
    "bad_initialization",
)


def answers_are_no_copies(
    trained_answers: TrainedAnswers,
    *,
    min_copied: float = MIN_COPIED,
    max_right: float = MAX_RIGHT,
    max_change: float = MAX_CHANGE,
) -> Finding:
    """Compare how far answers and targets repeat the input."""
    copied, by_target = trained_answers.copied, trained_answers.copied_by_target
    if copied is None or by_target is None:
        return skipped("answers and inputs are not of one kind")
    needed = min_copied if trained_answers.places else 1 - max_change
    text = f"answers repeat the input by {copied:.2g}, targets by {by_target:.2g}"
    if copied >= needed and by_target <= max_right:
        return failed(text).suggests("copying_source", unless=EXPLAINED_BY)
    return passed(text)
