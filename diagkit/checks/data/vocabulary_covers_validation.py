"""Does the vocabulary know what validation is written in?

## Why it matters
A token that training never showed has a random embedding, and one that stands for everything unknown says nothing.
The model reads noise.

## Threshold
`MAX_UNSEEN = 0.1` of the validation tokens have an id that training never used; and the one id that validation uses
most beyond training gains at most `MAX_SURPLUS = 0.15` of all tokens. Measured on 14 healthy programs with ids:
unseen at most 0.02, surplus at most 0.02. `MIN_CORRELATION = 0.3` between the log frequencies of ids in both parts,
where they differ: another numbering gives 0; measured 0.8 to 1.

## Cost
Counts ids; one forward pass to see which inputs are ids.

## Examples
>>> from diagkit.evidence.data import VocabularyUse

PASS:

>>> print(vocabulary_covers_validation(VocabularyUse(9000, 2000, 0.004, 0.06, 0.055, 3, 0.97)))
PASS: validation tokens that training never used 0.004 <= 0.1

FAIL, a quarter of the validation words is unknown:

>>> print(vocabulary_covers_validation(VocabularyUse(9000, 2000, 0.0, 0.27, 0.01, 1, 0.8)))
FAIL: id 1 makes up 0.27 of the validation tokens and 0.01 of the training tokens

## Fix
Count the unknown words of validation; build the vocabulary from data like it, or from pieces of words.

## Sources
- Jurafsky and Martin, Speech and Language Processing, chapter 3, on unknown words
- The tutorial: vocabulary built from the training split only
"""

from diagkit.evidence.data import VocabularyUse
from diagkit.finding import Finding, at_most, failed

MAX_UNSEEN = 0.1  # of the validation tokens; see "Threshold"
MAX_SURPLUS = 0.15  # of the validation tokens, beyond training's share; see "Threshold"
MIN_CORRELATION = 0.3  # of log frequencies; see "Threshold"

SPEAKS_FOR = ("vocabulary_gap", "inconsistent_preprocessing")


def vocabulary_covers_validation(
    vocabulary_use: VocabularyUse,
    *,
    max_unseen: float = MAX_UNSEEN,
    max_surplus: float = MAX_SURPLUS,
    min_correlation: float = MIN_CORRELATION,
) -> Finding:
    """Judge unseen ids, the one id that stands for the unknown, and the numbering."""
    its = vocabulary_use
    if its.surplus - its.surplus_in_training > max_surplus and its.surplus > 3 * its.surplus_in_training:
        text = f"id {its.surplus_id} makes up {its.surplus:.2f} of the validation tokens"
        return failed(f"{text} and {its.surplus_in_training:.2f} of the training tokens").means("vocabulary_gap")
    unseen = at_most(its.unseen, max_unseen, what="validation tokens that training never used")
    if not unseen:
        return unseen.means("vocabulary_gap")
    if its.frequency_correlation < min_correlation:
        text = f"ids that are frequent in training are not in validation: correlation {its.frequency_correlation:.2f}"
        return failed(f"{text} < {min_correlation:g} of log frequencies").means(
            "inconsistent_preprocessing", "vocabulary_gap"
        )
    return unseen
