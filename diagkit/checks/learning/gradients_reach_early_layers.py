"""Do the early layers receive as much of the gradient as the late ones?

## Why it matters
A gradient that shrinks by a factor at every layer is gone after ten: the late layers learn on the random features of
the early ones.

## Threshold
`MIN_SHARE = 0.001`: the median of the first third of the layers over the largest of all, in the trained model, of
|weight| |gradient| / |loss| (convention: three orders of magnitude). Measured: 67 healthy programs 0.05
and more, seven sigmoid layers 1e-5.

## Cost
Forward and backward passes of four batches, untrained and trained.

## Examples
PASS:

>>> from diagkit.evidence.learning import GradientSpread
>>> names = ["a", "b", "c"]
>>> print(gradients_reach_early_layers(GradientSpread(names, [1.0, 1.0, 1.0], [3.0, 5.0, 9.0])))
PASS: first layers receive 1 >= 0.001 of the strongest layer's gradient

PASS, a branch that starts at zero:

>>> print(gradients_reach_early_layers(GradientSpread(names, [0.0, 0.0, 1.0], [3.0, 5.0, 9.0])))
PASS: first layers receive 0.333 >= 0.001 of the strongest layer's gradient

FAIL:

>>> print(gradients_reach_early_layers(GradientSpread(names, [1e-7, 1e-4, 1.0], [1e-7, 1e-4, 1.0])))
FAIL: first layers receive 1e-07 < 0.001 of the strongest layer's gradient

## Fix
Relu or gelu instead of sigmoid and tanh, residual connections, normalization, weights initialized for the activation.

## Sources
- Glorot and Bengio (2010); He et al., Deep residual learning (2016)
"""

import math
from statistics import median

from diagkit.evidence.learning import GradientSpread
from diagkit.finding import Finding, at_least, skipped

MIN_SHARE = 0.001  # of the strongest layer; see "Threshold"

SPEAKS_FOR = ("vanishing_gradients",)
EXPLAINED_BY = (
    "detached_graph",
    "frozen_parameters",
    "bad_initialization",
    "unnormalized_inputs",
    "nonfinite_inputs",
    "learning_rate_too_high",
    "dead_units",
)


def gradients_reach_early_layers(gradient_spread: GradientSpread, *, min_share: float = MIN_SHARE) -> Finding:
    """Compare the first third of the layers with the strongest one, before and after training."""
    shares = [_share(its) for its in (gradient_spread.untrained, gradient_spread.trained)]
    known = [share for share in shares if math.isfinite(share)]
    if known and max(known) == 0:
        return skipped("the first layers get no gradient at all, which is another question")
    if not known:
        return skipped("no layer has a finite gradient")
    what = "first layers receive"
    finding = at_least(max(known), min_share, what=what, unit="of the strongest layer's gradient")
    return finding.suggests("vanishing_gradients", unless=EXPLAINED_BY)


def _share(reactions: list[float]) -> float:
    largest = max(reactions)
    if not (largest > 0 and math.isfinite(sum(reactions))):
        return math.nan
    return median(reactions[: max(1, len(reactions) // 3)]) / largest
