"""Do all classes weigh enough to be learnt?

## Why it matters
Where one class is a hundred times as frequent as another, always guessing it is nearly right, and the model stops
there.

## Threshold
`MAX_RATIO = 10` between the commonest and the rarest class, in count times weight in the loss, published in the
catalogue, and a recall of the rarest below `MIN_RECALL = 0.2`: a class that is rare and found all the same is no
fault. Above `MAX_RATIO_ANYWAY = 100` the recall must reach `MIN_RECALL` on at least ten examples to pass. The rarest
class is given the benefit of two standard deviations of its count, and below `MIN_ROWS = 200` nothing is judged.

## Cost
Counts labels; one forward pass of the trained model over the samples.

## Examples
>>> from diagkit.evidence.data import ClassRecall, Labels
>>> recall = ClassRecall({"0": 1.0, "1": 0.0}, {"0": 290, "1": 10}, 0.97, 0.97, 0.97)

PASS, five to one:

>>> print(no_class_drowns_the_others(Labels({"0": 1000, "1": 200}, {}, 2, []), recall))
PASS: commonest class over rarest 4.34 <= 10

FAIL, thirty to one, and the rare class is never found:

>>> print(no_class_drowns_the_others(Labels({"0": 2910, "1": 90}, {}, 2, []), recall))
FAIL: commonest class over rarest 26.2 > 10; recall of the rarest class (1) is 0.00

## Fix
Weigh the classes in the loss, or draw them equally often; judge by recall per class, not by accuracy.

## Sources
- Buda, Maki and Mazurowski, A systematic study of the class imbalance problem (2018)
- The diagnostics catalogue: over 10:1 reweight or resample, over 100:1 the majority is predicted
"""

from dataclasses import replace

from diagkit.evidence.data import ClassRecall, Labels
from diagkit.finding import Finding, at_most, passed, skipped

MAX_RATIO = 10.0  # published; see "Threshold"
MAX_RATIO_ANYWAY = 100.0  # published; see "Threshold"
MIN_RECALL = 0.2  # of the rarest class; convention
MIN_ROWS = 200  # convention
MAX_CLASSES = 100  # more have a long tail by nature

MAX_WORDS = 20  # classes of a task on ids: more are words, whose frequencies differ by nature

SPEAKS_FOR = ("class_imbalance",)
STOPPED = ("zero_learning_rate", "learning_rate_too_low", "learning_rate_too_high", "misaligned_targets")


def no_class_drowns_the_others(
    labels: Labels, class_recall: ClassRecall, *, max_ratio: float = MAX_RATIO, min_recall: float = MIN_RECALL
) -> Finding:
    """Judge the ratio of the classes' weights, and whether the rarest is found."""
    most = MAX_WORDS if labels.inputs_are_ids else MAX_CLASSES
    rows = sum(labels.counts.values())
    if rows < MIN_ROWS or not 2 <= len(labels.counts) <= most:
        return skipped(f"{rows} labels of {len(labels.counts)} classes are no basis for a ratio")
    weight = {name: labels.masses.get(name, float(count)) / count for name, count in labels.counts.items()}
    mass = {name: (count + 2 * count**0.5 + 2) * weight[name] for name, count in labels.counts.items()}
    rarest = min(mass, key=lambda name: mass[name])
    ratio = max(count * weight[name] for name, count in labels.counts.items()) / max(mass[rarest], 1e-12)
    finding = at_most(ratio, max_ratio, what="commonest class over rarest")
    if finding:
        return finding
    recall, examples = class_recall.recalls.get(rarest, float("nan")), class_recall.examples.get(rarest, 0)
    if recall >= min_recall and (ratio <= MAX_RATIO_ANYWAY or examples >= 10):
        return passed(f"{finding.text}, but the rarest class ({rarest}) is found: recall {recall:.2f}")
    if recall != recall and ratio <= MAX_RATIO_ANYWAY:
        return skipped(f"{finding.text}, but no validation example tells whether the rarest class is found")
    finding = replace(finding, text=f"{finding.text}; recall of the rarest class ({rarest}) is {recall:.2f}")
    return (
        finding.means("class_imbalance")
        if ratio > MAX_RATIO_ANYWAY
        else finding.suggests("class_imbalance", unless=STOPPED)
    )
