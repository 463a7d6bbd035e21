"""Does the loss average over the batch, so that the rate means the same for any batch?

## Why it matters
A loss that adds up its examples or tokens multiplies every gradient by their number. With plain SGD that is a rate a
hundred times higher than the one that is written down.

## Threshold
`MAX_GROWTH = 1.5` when the batch is given twice (1 for a mean, 2 for a sum), where a trial at a smaller rate also got
twice as far as the run: adding up with a rate chosen for it is a legitimate habit. Optimizers that divide by the
gradient's size (Adam) do not care.

## Cost
One forward pass; the trial is that of `rate_suits_the_task`.

## Examples
PASS:

>>> from diagkit.evidence.learning import LossScale, RateTrial
>>> trial = RateTrial(60, 900, 2.3, 9.9, [0.1, 10.0], [1.0, 50.0])
>>> print(loss_is_averaged(LossScale(1.0, 32, True), trial))
PASS: loss of a batch given twice 1 <= 1.5 times that of the batch

FAIL:

>>> print(loss_is_averaged(LossScale(2.0, 32, True), trial))
FAIL: loss of a batch given twice 2 > 1.5 times that of the batch, and a smaller rate gets further

SKIP, it learns all the same:

>>> print(loss_is_averaged(LossScale(2.0, 32, True), RateTrial(60, 900, 2.3, 0.9, [0.1, 10.0], [1.0, 50.0])))
SKIP: the loss adds up the batch, and no smaller rate does better

## Fix
`reduction="mean"`, or divide by the number of examples (of tokens that count, in sequences).

## Sources
- PyTorch documentation of `torch.nn.CrossEntropyLoss`: reduction
"""

from dataclasses import replace

from diagkit.checks.learning.rate_suits_the_task import rate_suits_the_task
from diagkit.evidence.learning import LossScale, RateTrial
from diagkit.finding import Finding, at_most, skipped

MAX_GROWTH = 1.5  # times; see "Threshold"

SPEAKS_FOR = ("gradient_scale",)


def loss_is_averaged(loss_scale: LossScale, rate_trial: RateTrial, *, max_growth: float = MAX_GROWTH) -> Finding:
    """Ask for the growth of the loss with the batch, and whether it hurts."""
    finding = at_most(loss_scale.growth, max_growth, what="loss of a batch given twice", unit="times that of the batch")
    if finding:
        return finding
    if not loss_scale.reacts:
        return skipped("the loss adds up the batch, but the optimizer divides by the gradient's size")
    if "learning_rate_too_high" not in rate_suits_the_task(rate_trial).faults:
        return skipped("the loss adds up the batch, and no smaller rate does better")
    return replace(finding, text=f"{finding.text}, and a smaller rate gets further").means("gradient_scale")
