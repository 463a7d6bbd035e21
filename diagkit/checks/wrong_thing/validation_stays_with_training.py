"""Does the validation loss stay with the training loss?

## Why it matters
A gap that opens means that the model learns the training examples instead of the task.

## Threshold
`MAX_GAP = 0.30` nats, validation minus training loss at the end, published in the tutorial. There: healthy -0.17
(dropout is on while training), memorizing 60 pairs +1.08.

## Cost
Reads the logged losses.

## Examples
PASS, validation is below training, since dropout is off:

>>> from diagkit.evidence.training import History, Scores
>>> def scored(val_loss):
...     return Scores("BLEU", 70.0, val_loss, {}, "", [], [], [], [])
>>> history = History([4.8, 0.3, 0.26], [0.001] * 3, 0.001, [1, 3], [2.0, 0.1])
>>> print(validation_stays_with_training(history, scored(0.097)))
PASS: validation loss minus training loss -0.183 <= 0.3 (0.097 - 0.280)

FAIL, a memorizer:

>>> print(validation_stays_with_training(history, scored(1.631)))
FAIL: validation loss minus training loss 1.35 > 0.3 (1.631 - 0.280)

## Fix
More data, regularization, or stop where the validation loss is lowest.

## Sources
- The tutorial's generalization check
"""

from dataclasses import replace

from diagkit.evidence.training import History, Scores
from diagkit.finding import Finding, at_most

MAX_GAP = 0.30  # nats, published; see "Threshold"

SPEAKS_FOR = ("overfitting",)
EXPLAINED_BY = ("misaligned_targets", "label_noise", "evaluation_in_train_mode", "inconsistent_preprocessing")


def validation_stays_with_training(history: History, scores: Scores, *, max_gap: float = MAX_GAP) -> Finding:
    """Compare validation and training loss at the end."""
    val, train = scores.val_loss, history.final_loss()
    finding = at_most(val - train, max_gap, what="validation loss minus training loss")
    return replace(finding, text=f"{finding.text} ({val:.3f} - {train:.3f})").suggests(
        "overfitting", unless=EXPLAINED_BY
    )
