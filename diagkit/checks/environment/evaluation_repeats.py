"""Does evaluating the same weights again give the same figures?

## Why it matters
Where it does not, every comparison of two scores also compares two draws of chance.

## Threshold
`MAX_SPREAD = 1e-6` of the figure between repeats: bit for bit on one machine, and room for sums in another order
(convention). The tutorial's control in train mode spreads by 3 %.

## Cost
Evaluates at most 100 examples three times, by the author's evaluation where it is given, else by the loss.

## Examples
PASS:

>>> from diagkit.evidence.environment import RepeatedEvaluation
>>> print(evaluation_repeats(RepeatedEvaluation([{"loss": 0.0971}] * 3)))
PASS: loss differs between repeats by 0 <= 1e-06 of its size

FAIL, dropout is on:

>>> figures = [{"loss": 0.268}, {"loss": 0.261}, {"loss": 0.261}]
>>> print(evaluation_repeats(RepeatedEvaluation(figures, ["model", "model.drop"])))
FAIL: loss differs between repeats by 0.0261 > 1e-06 of its size

FAIL, the model repeats but what is made of its outputs is drawn:

>>> drawn = evaluation_repeats(RepeatedEvaluation([{"bleu": 41.0}, {"bleu": 38.5}, {"bleu": 40.0}]))
>>> print(drawn)
FAIL: bleu differs between repeats by 0.061 > 1e-06 of its size, while the model's outputs repeat
>>> drawn.faults
('stochastic_decoding',)

## Fix
Evaluate in eval mode and without gradients, decode with argmax, and give every sampler in the evaluation its own seed.

## Sources
- The tutorial's repeatability check
"""

import math
from dataclasses import replace

from diagkit.evidence.environment import RepeatedEvaluation
from diagkit.finding import Finding, at_most, skipped

MAX_SPREAD = 1e-6  # of the figure; see "Threshold"

SPEAKS_FOR = ("stochastic_decoding", "nondeterminism")


def evaluation_repeats(repeated_evaluation: RepeatedEvaluation, *, max_spread: float = MAX_SPREAD) -> Finding:
    """Compare each figure over the repeats and judge the one that differs most."""
    figures = repeated_evaluation.figures
    spreads = {name: _spread([repeat[name] for repeat in figures]) for name in (figures[0] if figures else {})}
    if not spreads:
        return skipped("the evaluation returns no figure")
    training = repeated_evaluation.modules_in_training and repeated_evaluation.mode_matters
    worst = max(spreads, key=lambda name: spreads[name])
    finding = at_most(spreads[worst], max_spread, what=f"{worst} differs between repeats by", unit="of its size")
    if repeated_evaluation.by_author and repeated_evaluation.forward_repeats and not training:
        text = finding.text if finding else f"{finding.text}, while the model's outputs repeat"
        return replace(finding, text=text).means("stochastic_decoding")
    return finding.suggests(*SPEAKS_FOR, unless=("evaluation_in_train_mode",))


def _spread(values: list[float]) -> float:
    """Return (largest - smallest) / largest size; 0 where all are the same or none is a number."""
    numbers = [value for value in values if not math.isnan(value)]
    if len(numbers) < len(values):
        return math.inf if numbers else 0.0
    size = max(abs(value) for value in numbers)
    return (max(numbers) - min(numbers)) / size if size else 0.0
