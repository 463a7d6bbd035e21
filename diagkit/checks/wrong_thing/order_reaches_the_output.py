"""Does the order of the inputs reach the output, where it matters?

## Why it matters
Without positions, attention and pooling read a bag of tokens. Whatever depends on order is then guessed.

## Threshold
`MAX_EFFECT = 1e-4` of what other tokens do is what shuffling tokens does in a bag: rounding leaves 1e-6, and models
that know order show at least 0.03 (20 programs). A language model or the source of a decoder needs order. Where one
label belongs to a sequence, a bag is often right, so the data are asked: counting ordered tokens must predict
`MIN_GAIN = 0.1` more of the validation labels than counting unordered ones, and more than 3 standard errors (healthy
bags: -0.06 to 0.03, a task about order 0.49).

## Cost
Three forward passes of 16 examples, and counting tokens and pairs.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import OrderFlow
>>> print(order_reaches_the_output(OrderFlow("seq2seq", 0.9, 2.3)))
PASS: shuffling the inputs moves outputs by 0.9, other inputs by 2.3 standard deviations

FAIL, an encoder without positions:

>>> print(order_reaches_the_output(OrderFlow("seq2seq", 2e-7, 2.3)))
FAIL: shuffling the inputs moves outputs by 2e-07, other inputs by 2.3 standard deviations: the model reads a bag

PASS, a bag for a task that needs no more:

>>> print(order_reaches_the_output(OrderFlow("classification", 2e-7, 2.3, 0.85, 0.87, 400)))
PASS: the model reads a bag, and order tells little: 0.85 of the labels with it, 0.87 without

FAIL, which of two came first:

>>> print(order_reaches_the_output(OrderFlow("classification", 2e-7, 2.3, 1.0, 0.505, 400)))
FAIL: the model reads a bag, but order tells: 1 of the labels with it, 0.505 without

## Fix
Add positions to the embeddings (at their scale), or read with a recurrent or convolutional layer.

## Sources
- Vaswani et al., Attention is all you need (2017), section 3.5
- Karpathy, A recipe for training neural networks (2019): use backprop to chart dependencies
"""

import math

from diagkit.evidence.wrong_thing import OrderFlow
from diagkit.finding import Finding, failed, passed, skipped

MAX_EFFECT = 1e-4  # of the effect of other inputs; see "Threshold"
MIN_GAIN = 0.1  # of the labels; see "Threshold"

SPEAKS_FOR = ("position_lost",)


def order_reaches_the_output(
    order_flow: OrderFlow, *, max_effect: float = MAX_EFFECT, min_gain: float = MIN_GAIN
) -> Finding:
    """Compare the effects of another order and of other contents."""
    order, content = order_flow.order_effect, order_flow.content_effect
    if math.isnan(order) or math.isnan(content):
        return skipped("the outputs are not numbers")
    if content < 1e-3:
        return skipped(f"the output hardly follows these inputs ({content:.2g} standard deviations)")
    moved = f"shuffling the inputs moves outputs by {order:.2g}, other inputs by {content:.2g} standard deviations"
    if order > max_effect * content:
        return passed(moved)
    if order_flow.task in ("seq2seq", "language_model"):
        return failed(f"{moved}: the model reads a bag").means("position_lost")
    ordered, bag, labels = order_flow.with_order, order_flow.without_order, order_flow.labels
    if ordered is None or bag is None:
        return skipped("the model reads a bag, and whether order tells anything cannot be counted")
    told = f"{ordered:.3g} of the labels with it, {bag:.3g} without"
    if ordered - bag >= max(min_gain, 3 * math.sqrt(0.5 / max(labels, 1))):
        return failed(f"the model reads a bag, but order tells: {told}").means("position_lost")
    return passed(f"the model reads a bag, and order tells little: {told}")
