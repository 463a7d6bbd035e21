"""Are the outputs normalized once, by the model or by the loss, not by both?

## Why it matters
Cross entropy takes a softmax of what it is given. Given probabilities, it sees scores between 0 and 1: even perfect
outputs cost ln(1 + (C - 1) / e), 1.46 for ten classes, the gradient is weak where it should be strong, and training
is slow without ever failing. The same holds for a sigmoid before a loss on logits.

## Threshold
Two signs, either is enough. *In the model*: the last activation holds the outputs in [0, 1] (a sigmoid, or sums of 1
over the classes), and the loss of the best outputs in there falls below `MAX_RATIO = 0.8` of itself as soon as they
may leave it. *In the loss*: extreme scores, right or wrong, cost a bounded amount, and right ones at least `MIN_FLOOR
= 0.9` of what a loss on scores would charge perfect probabilities. Both come from the formula, none is tuned; neither
sign occurs in 67 healthy programs and the fixed variants of 65 cases.

## Cost
A dozen calls of the loss on 32 examples, one forward pass.

## Examples
PASS, scores into cross entropy, which is unbounded for wrong ones:

>>> from diagkit.evidence.wrong_thing import LossForm, OutputForm
>>> def outputs(activation, low, high, summing):
...     return OutputForm([32, 10], [32], "ids", [1], activation, low, high, summing, [], False, 0.0)
>>> print(outputs_are_normalized_once(outputs("", None, None, []), LossForm(1, False, 1, free=0.0, floor=0.0)))
PASS: the loss normalizes scores, or takes what is normalized already

FAIL, softmax and cross entropy:

>>> form = LossForm(1, False, 1, in_reach=1.46, free=0.0, floor=0.0, normalized_ratio=0.594)
>>> print(outputs_are_normalized_once(outputs("softmax", 0, 1, [1]), form))
FAIL: outputs end in a softmax, and the loss normalizes again: right ones cost 1.46 at best, without that limit 0

FAIL, the loss takes a softmax twice:

>>> form = LossForm(1, False, 1, free=1.46, floor=1.46, ceiling=2.46, normalized_ratio=0.594)
>>> print(outputs_are_normalized_once(outputs("", None, None, []), form))
FAIL: the loss normalizes twice: the clearest right scores cost 1.46, the clearest wrong ones 2.46

## Fix
Hand raw scores to `CrossEntropyLoss` or `BCEWithLogitsLoss`, and take softmax or sigmoid only to read probabilities;
or keep `log_softmax` with `NLLLoss`, `sigmoid` with `BCELoss`.

## Sources
- PyTorch documentation of CrossEntropyLoss: the input is expected to contain the unnormalized logits for each class
- Karpathy's list of the most common neural net mistakes (2018): you passed softmaxed outputs to a loss that expects
  logits"""

from diagkit.evidence.wrong_thing import LossForm, OutputForm
from diagkit.finding import Finding, failed, passed, skipped

MAX_RATIO = 0.8  # of the loss of the best outputs in [0, 1]; see "Threshold"
MIN_FLOOR = 0.9  # of the loss of perfect probabilities, as a share of the worst; see "Threshold"

SPEAKS_FOR = ("double_softmax",)


def outputs_are_normalized_once(
    output_form: OutputForm, loss_form: LossForm, *, max_ratio: float = MAX_RATIO, min_floor: float = MIN_FLOOR
) -> Finding:
    """Compare the best loss within the outputs' limits with the best loss there is."""
    if loss_form.free is None and loss_form.in_reach is None:
        return skipped("targets are neither classes nor zeros and ones that outputs could be right about")
    best, free = loss_form.in_reach, loss_form.free
    if _shares(output_form) and best is not None and free is not None and best > 0.05 and free < max_ratio * best:
        how = f"end in a {output_form.activation}" if output_form.activation else "sum to 1"
        text = f"outputs {how}, and the loss normalizes again: right ones cost {best:.3g} at best"
        return failed(f"{text}, without that limit {free:.3g}").means("double_softmax")
    floor, ceiling, ratio = loss_form.floor, loss_form.ceiling, loss_form.normalized_ratio
    if floor is not None and ceiling is not None and ratio is not None and floor >= min_floor * ratio * ceiling > 0:
        costs = f"the clearest right scores cost {floor:.3g}, the clearest wrong ones {ceiling:.3g}"
        return failed(f"the loss normalizes twice: {costs}").means("double_softmax")
    return passed("the loss normalizes scores, or takes what is normalized already")


def _shares(form: OutputForm) -> bool:
    """Return whether outputs are probabilities of these classes, or of a one against a zero."""
    if set(form.class_axes) & set(form.summing_axes):
        return True
    return form.activation in ("sigmoid", "hardsigmoid") and form.targets in ("ids", "shares", "zeros and ones")
