"""Does the output have a place for every label?

## Why it matters
A label outside the range of the output raises an error at best. A negative one silently counts from the end, and a
probability that is asked to be 2 or -1 never arrives.

## Threshold
`MAX_OUTSIDE = 0` labels outside the range that the loss takes part in; those that it leaves out (-100, padding) are
fine. Labels that begin at 1 although the output has a place for 0, in a task whose inputs are not ids, are a symptom.

## Cost
One forward pass and a few calls of the loss.

## Examples
>>> from diagkit.evidence.data import Labels

PASS:

>>> print(labels_fit_the_outputs(Labels({"0": 60, "1": 70, "2": 50}, {}, 3, [])))
PASS: labels without a place in the output 0 <= 0

FAIL, labels from 1 to 3 for three outputs:

>>> print(labels_fit_the_outputs(Labels({"1": 60, "2": 70, "3": 50}, {}, 3, ["3"])))
FAIL: labels without a place in the output 1 > 0: 3, of 3 classes

## Fix
Map labels to 0 ... C - 1 once, where they are read, and assert it; for probabilities to 0 and 1.

## Sources
- PyTorch documentation of CrossEntropyLoss: class indices in the range [0, C)
"""

from dataclasses import replace

from diagkit.evidence.data import Labels
from diagkit.finding import Finding, at_most, failed

MAX_OUTSIDE = 0  # labels; see "Threshold"
MIN_COUNT = 10  # examples of every other class, before the absence of class 0 says anything; convention

SPEAKS_FOR = ("label_encoding",)


def labels_fit_the_outputs(labels: Labels, *, max_outside: int = MAX_OUTSIDE) -> Finding:
    """Judge the labels that the output has no place for."""
    finding = at_most(float(len(labels.outside)), max_outside, what="labels without a place in the output")
    if not finding:
        shown = ", ".join(labels.outside[:5])
        return replace(finding, text=f"{finding.text}: {shown}, of {labels.classes} classes").means("label_encoding")
    others = [str(label) for label in range(1, labels.classes)]
    if (
        len(others) > 1
        and not labels.inputs_are_ids
        and labels.counts.get("0", 0) == 0
        and all(labels.counts.get(label, 0) >= MIN_COUNT for label in others)
    ):
        return failed(f"labels run from 1 to {labels.classes - 1}, and output 0 is never used").suggests(
            "label_encoding"
        )
    return finding
