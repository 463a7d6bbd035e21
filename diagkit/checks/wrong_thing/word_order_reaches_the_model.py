"""Does the order of the source words reach the model?

## Why it matters
A Transformer without usable positions reads a bag of words. It translates most sentences right, where grammar leaves
one order, and tosses a coin wherever the order carries meaning; loss and score only look a little low.

## Threshold
`MIN_EFFECT = 0.1`: exchanging two neighbouring source words moves the output distribution by that much (total
variation, in one sentence of ten, at its most affected word). Measured over 5 seeds (`benchmarks/word_order.py`).
Where replacing a word moves the output by less than `MIN_READING = 0.5`, the model does not read its source yet, and
its order cannot be asked about.

## Cost
Two forward passes per source position, for at most 64 sentences; no training.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import WordOrder
>>> print(word_order_reaches_the_model(WordOrder(200, 0.99, 1.0)))
PASS: exchanging two words moves the output by 0.99 >= 0.1 (replacing one: 1.00)

FAIL, embeddings eleven times stronger than positions:

>>> print(word_order_reaches_the_model(WordOrder(200, 0.02, 1.0)))
FAIL: exchanging two words moves the output by 0.02 < 0.1 (replacing one: 1.00)

SKIP, an untrained model:

>>> print(word_order_reaches_the_model(WordOrder(200, 0.02, 0.03)))
SKIP: the output hardly follows the source (replacing a word moves it by 0.03), so its order cannot be asked about

## Fix
Bring embeddings and positions to one scale: initialize embeddings with standard deviation width**-0.5 where they are
multiplied by sqrt(width).

## Sources
- Vaswani et al., Attention is all you need (2017), section 3.4 and 3.5
- Karpathy, A recipe for training neural networks (2019): input dependency
"""

from dataclasses import replace

from diagkit.evidence.wrong_thing import WordOrder
from diagkit.finding import Finding, at_least, skipped

MIN_EFFECT = 0.1  # total variation; see "Threshold"
MIN_READING = 0.5  # total variation; see "Threshold"

SPEAKS_FOR = ("position_lost",)


def word_order_reaches_the_model(word_order: WordOrder, *, min_effect: float = MIN_EFFECT) -> Finding:
    """Judge the effect of exchanging two words beside that of replacing one."""
    reading = word_order.replacement_effect
    if reading < MIN_READING:
        moved = f"replacing a word moves it by {reading:.2f}"
        return skipped(f"the output hardly follows the source ({moved}), so its order cannot be asked about")
    finding = at_least(word_order.exchange_effect, min_effect, what="exchanging two words moves the output by")
    return replace(finding, text=f"{finding.text} (replacing one: {reading:.2f})").means("position_lost")
