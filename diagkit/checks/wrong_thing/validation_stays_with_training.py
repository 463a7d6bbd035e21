"""Does the validation loss stay with the training loss?

## Why it matters
A gap that opens means that the model learns the training examples instead of the task.

## Threshold
`MAX_GAP = 0.30` nats, validation minus training loss at the end, both in eval mode, published in the tutorial
(healthy -0.17, memorizing 60 pairs +1.08). For a loss in other units, and as well as the nats, the gap must exceed a
share of the untrained loss: `MAX_SHARE = 0.3`, or `MAX_SHARE_IN_NATS = 0.1`. Measured on 67
healthy programs, one seed: at most 0.11 nats and 0.11 of the untrained loss. Repaired programs reach 0.29 nats of 7.4
(a small language model) and 0.26 of the untrained loss (a regression on few windows); a memorizing one 0.64 nats.

## Cost
Forward passes over the training and the validation examples.

## Examples
PASS, ten classes:

>>> from diagkit.evidence.fit import Fit
>>> print(validation_stays_with_training(Fit(2.31, 0.02, 0.10, 0.09, 1200, True)))
PASS: validation loss minus training loss 0.08 <= 0.3 nats (0.1 - 0.02)

FAIL, a memorizer:

>>> print(validation_stays_with_training(Fit(4.80, 0.02, 1.631, 1.40, 60, True)))
FAIL: validation loss minus training loss 1.61 > 0.48 nats (1.63 - 0.02)

FAIL, thirty rows of a regression:

>>> print(validation_stays_with_training(Fit(5900.0, 12.0, 3900.0, 3100.0, 30, False)))
FAIL: validation loss minus training loss 0.659 > 0.3 of the untrained loss (3.9e+03 - 12)

## Fix
More data, regularization, or stop where the validation loss is lowest.

## Sources
- The tutorial's generalization check
"""

from dataclasses import replace

from diagkit.evidence.fit import Fit
from diagkit.finding import Finding, at_most, skipped

MAX_GAP = 0.30  # nats, published; see "Threshold"
MAX_SHARE = 0.3  # of the untrained loss; see "Threshold"
MAX_SHARE_IN_NATS = 0.1  # of the untrained loss: 0.3 nats are little for a vocabulary of thousands

SPEAKS_FOR = ("overfitting",)
EXPLAINED_BY = (
    "misaligned_targets",
    "label_noise",
    "label_encoding",
    "overlapping_classes",
    "data_mutated",
    "inconsistent_preprocessing",
    "evaluation_in_train_mode",
    "training_in_eval_mode",
    "stale_normalization",
)


def validation_stays_with_training(
    fit: Fit,
    *,
    max_gap: float = MAX_GAP,
    max_share: float = MAX_SHARE,
    max_share_in_nats: float = MAX_SHARE_IN_NATS,
) -> Finding:
    """Compare validation and training loss at the end, in the unit that the loss has."""
    gap = fit.val - fit.train
    scale = max(abs(fit.untrained), abs(fit.untrained - fit.train))
    if not scale > 0:
        return skipped(f"the untrained loss is {scale:g}, so there is no scale for a gap")
    what = "validation loss minus training loss"
    finding = at_most(gap / scale, max_share, what=what, unit="of the untrained loss")
    if fit.nats:
        finding = at_most(gap, max(max_gap, max_share_in_nats * scale), what=what, unit="nats")
    return replace(finding, text=f"{finding.text} ({fit.val:.3g} - {fit.train:.3g})").suggests(
        "overfitting", unless=EXPLAINED_BY
    )
