"""Does the loss end somewhere, rather than fall for ever?

## Why it matters
A sum of squares, a cross entropy or a divergence cannot fall below zero. A likelihood that is maximized by mistake, or
a difference whose sides are exchanged, falls without end: the curve looks splendid and the model unlearns the task.

## Threshold
`MAX_DEPTH = 100`: the final loss below zero, in units of the first one's size or of 1 where that is larger. Densities
may have negative log likelihoods, which fall with the logarithm of a spread only. Measured on 67 healthy programs: at
most 0.66; a faulty one with the wrong sign reaches 156 (`benchmarks/zoo.py`).

## Cost
Reads the logged losses.

## Examples
PASS:

>>> from diagkit.evidence.training import History
>>> print(loss_has_a_floor(History([2.3, 1.1, 0.4], [0.1] * 3, 0.1, [3], [0.5])))
PASS: the loss falls 0 <= 100 times its first size below zero

PASS, a density:

>>> print(loss_has_a_floor(History([1.4, *[-2.1] * 5], [0.1] * 6, 0.1, [6], [-2.0])))
PASS: the loss falls 1.5 <= 100 times its first size below zero

FAIL:

>>> print(loss_has_a_floor(History([-3.6, *[-950.0] * 5], [0.1] * 6, 0.1, [6], [-960.0])))
FAIL: the loss falls 264 > 100 times its first size below zero (-3.6 to -950)

## Fix
Minimize the negative log likelihood; write a margin as wrong minus right.

## Sources
- Slav Ivanov, 37 reasons why your neural network is not working: check your loss function
"""

import math
from dataclasses import replace

from diagkit.evidence.training import History
from diagkit.finding import Finding, at_most, skipped

MAX_DEPTH = 100.0  # times the first loss; see "Threshold"

SPEAKS_FOR = ("wrong_sign",)


def loss_has_a_floor(history: History, *, max_depth: float = MAX_DEPTH) -> Finding:
    """Compare how far the last losses lie below zero with the size of the first."""
    losses = history.losses
    if len(losses) < 2:
        return skipped(f"only {len(losses)} steps were taken")
    first, last = losses[0], sorted(losses[-5:])[len(losses[-5:]) // 2]
    if not math.isfinite(first) or not math.isfinite(last):
        return skipped("the loss is not finite; `loss_stays_finite` asks why")
    depth = max(0.0, -last) / max(1.0, abs(first))
    finding = at_most(depth, max_depth, what="the loss falls", unit="times its first size below zero")
    if finding:
        return finding
    text = f"{finding.text} ({first:.3g} to {last:.3g})"
    return replace(finding, text=text).suggests("wrong_sign", unless=("wrong_loss", "nonfinite_values"))
