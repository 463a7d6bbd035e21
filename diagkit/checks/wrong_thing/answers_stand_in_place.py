"""Do the trained model's answers agree best with the targets in their own place?

## Why it matters
Answers that are right one position further on are a model that was trained on shifted targets: the loss is low, the
text is wrong throughout.

## Threshold
At another place than the expected one, answers agree with `MIN_TIMES = 2` times as many targets, and with
`MIN_GAIN = 0.2` of all more. Earlier targets do not count where they stand among the inputs. Measured on fixed
sequence programs: 0.44 to 0.98 in place and nowhere more; a loss that shifts twice: 0.14 in place, 0.95 one further.

## Cost
A forward pass of at most 512 validation examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import TrainedAnswers
>>> print(answers_stand_in_place(TrainedAnswers(900, 0.7, {"0": 0.98, "1": 0.06})))
PASS: 0.98 of the answers are right in place, 0.06 with the target 1 later

FAIL:

>>> print(answers_stand_in_place(TrainedAnswers(900, 0.7, {"0": 0.13, "1": 0.91})))
FAIL: 0.13 of the answers are right in place, 0.91 with the target 1 later

SKIP, one target per example:

>>> print(answers_stand_in_place(TrainedAnswers(900, 0.7)))
SKIP: answers have no neighbours in a sequence

## Fix
Shift once: in the data or in the loss. Print inputs, targets and answers of one example below each other.

## Sources
- Hugging Face transformers, pull request 46898: labels shifted twice
"""

from diagkit.evidence.wrong_thing import TrainedAnswers
from diagkit.finding import Finding, failed, passed, skipped

MIN_TIMES = 2.0  # see "Threshold"
MIN_GAIN = 0.2  # of all targets; see "Threshold"

SPEAKS_FOR = ("target_shift",)


def answers_stand_in_place(
    trained_answers: TrainedAnswers, *, min_times: float = MIN_TIMES, min_gain: float = MIN_GAIN
) -> Finding:
    """Compare agreement in place with agreement elsewhere."""
    places = {int(place): share for place, share in trained_answers.places.items()}
    there = places.pop(trained_answers.expected, None)
    if trained_answers.in_inputs:  # an earlier target is a copy of what was seen
        places = {place: share for place, share in places.items() if place > trained_answers.expected}
    if there is None or not places:
        return skipped("answers have no neighbours in a sequence")
    best = max(places, key=lambda place: places[place])
    later = best - trained_answers.expected
    text = f"{there:.2g} of the answers are right in place, {places[best]:.2g} with the target {later} later"
    if places[best] >= min_times * there and places[best] - there >= min_gain:
        return failed(text).means("target_shift")
    return passed(text)
