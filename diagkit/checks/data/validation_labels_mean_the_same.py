"""Do validation labels mean what training labels mean?

## Why it matters
Two tables of class names, or folders read in another order, number the same classes differently. The model is right
and every figure says it is wrong.

## Threshold
`MAX_GAIN = 0.3`: what a renaming of the classes, found on one half of the validation part, gains in accuracy on the
other. Measured on healthy programs with a trained model: 0 to 0.03.

## Cost
One forward pass over the samples.

## Examples
>>> from diagkit.evidence.data import ClassRecall

PASS:

>>> print(validation_labels_mean_the_same(ClassRecall({}, {"0": 150, "1": 150}, 0.99, 0.95, 0.95)))
PASS: accuracy that a renaming of the classes gains 0 <= 0.3

FAIL:

>>> print(validation_labels_mean_the_same(ClassRecall({}, {"0": 150, "1": 150}, 0.99, 0.08, 0.94)))
FAIL: accuracy that a renaming of the classes gains 0.86 > 0.3 (validation 0.08, training 0.99)

## Fix
Build the table from class name to number once, from training, and store it with the model.

## Sources
- Kuhn, The Hungarian method for the assignment problem (1955), as clustering accuracy uses it
"""

from dataclasses import replace

from diagkit.evidence.data import ClassRecall
from diagkit.finding import Finding, at_most, skipped

MAX_GAIN = 0.3  # of accuracy; see "Threshold"
MIN_ROWS = 40  # convention

SPEAKS_FOR = ("label_encoding", "inconsistent_preprocessing")


def validation_labels_mean_the_same(class_recall: ClassRecall, *, max_gain: float = MAX_GAIN) -> Finding:
    """Judge what renamed classes would gain."""
    its = class_recall
    gain = its.renamed_accuracy - its.val_accuracy
    if gain != gain or sum(its.examples.values()) < MIN_ROWS:
        return skipped("there are too few validation labels to compare")
    finding = at_most(max(gain, 0.0), max_gain, what="accuracy that a renaming of the classes gains")
    text = "" if finding else f" (validation {its.val_accuracy:.2f}, training {its.train_accuracy:.2f})"
    finding = replace(finding, text=finding.text + text)
    if its.train_accuracy < its.renamed_accuracy - max_gain:  # the same names are wrong in training: the model's doing
        return finding.suggests("label_encoding")
    return finding.means("label_encoding")
