"""Does the untrained model start at the loss of knowing nothing?

## Why it matters
A start far above it means that the outputs are far too large: weights or inputs of a size that the architecture cannot
cope with. The first part of the training, or all of it, only takes that back.

## Threshold
`MAX_RATIO = 8` times the loss of outputs that are all zero, or the same probability for every class: ln C for C classes
(10: 2.303), 0.693 for two, about the variance of the targets for a squared error. Measured: 66 healthy programs 0.09 to
2.1, a new head on pre-trained features 4.9; programs with weights or a tied embedding far too large 20 to 120.

## Cost
Two forward passes of five batches.

## Examples
PASS:

>>> from diagkit.evidence.learning import InitialLoss
>>> print(untrained_loss_is_that_of_chance(InitialLoss(320, 2.4, 2.303, 1.0)))
PASS: untrained loss 1.04 <= 8 times that of chance (2.4, chance 2.3)

FAIL:

>>> print(untrained_loss_is_that_of_chance(InitialLoss(320, 59.6, 4.56, float("nan"))))
FAIL: untrained loss 13.1 > 8 times that of chance (59.6, chance 4.56)

SKIP, a loss that is zero there:

>>> print(untrained_loss_is_that_of_chance(InitialLoss(320, 0.2, 0.0, 1.0)))
SKIP: the loss of knowing nothing is 0

## Fix
Standardize the inputs; initialize weights with a standard deviation of 1/sqrt(fan-in), a shared embedding with
1/sqrt(dim), the last layer small.

## Sources
- Karpathy, A recipe for training neural networks (2019): verify loss at init
- CS231n, neural networks part 3: look for correct loss at chance performance
"""

import math
from dataclasses import replace

from diagkit.evidence.learning import InitialLoss
from diagkit.finding import Finding, at_most, skipped

MAX_RATIO = 8.0  # times the loss of chance; see "Threshold"
MAX_INPUT = 10.0  # root mean square; beyond, the inputs are the likelier reason

SPEAKS_FOR = ("bad_initialization", "unnormalized_inputs", "exploding_gradients")
EXPLAINED_BY = ("nonfinite_inputs", "label_encoding", "wrong_loss", "loss_broadcasting", "training_in_eval_mode")


def untrained_loss_is_that_of_chance(initial_loss: InitialLoss, *, max_ratio: float = MAX_RATIO) -> Finding:
    """Compare the untrained loss with that of knowing nothing."""
    loss, chance = initial_loss.loss, initial_loss.reference
    if not (chance > 0 and math.isfinite(chance)):
        return skipped(f"the loss of knowing nothing is {chance:.3g}")
    if not math.isfinite(loss):
        return skipped(f"the untrained loss is {loss}")
    finding = at_most(loss / chance, max_ratio, what="untrained loss", unit="times that of chance")
    finding = replace(finding, text=f"{finding.text} ({loss:.3g}, chance {chance:.3g})")
    if initial_loss.input_size > MAX_INPUT:
        return finding.suggests("unnormalized_inputs", unless=("bad_initialization", *EXPLAINED_BY))
    return finding.suggests("bad_initialization", unless=("exploding_gradients", "unnormalized_inputs", *EXPLAINED_BY))
