"""Does clipping leave the usual gradient alone?

## Why it matters
Clipping is there for the rare outlier. A threshold far below the usual norm cuts every update to the same tiny length,
and the rate means nothing any more.

## Threshold
`MIN_SHARE = 0.03` of the gradient's norm must be left by the median update where clipping is seen (all updates equally
long while the gradients differ, or most elements at one limit). Convention: a cut to a third or a tenth is usual at the
start. An optimizer that divides by the gradient's own size (Adam) does not care unless the rest disappears beside its
eps: `MIN_RESOLUTION = 100` times. Measured: 66 healthy programs leave 1.0, one clips.

## Cost
Four training steps on a copy, shared with the other checks of the step.

## Examples
PASS:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(clipping_spares_most_updates(StepAnatomy()))
PASS: updates are not clipped

PASS, the start is clipped:

>>> print(clipping_spares_most_updates(StepAnatomy(norms=[1.0] * 4, clean_norms=[3.0, 5.0, 4.0, 2.0])))
PASS: share of the gradient that clipping leaves 0.292 >= 0.03

FAIL, a threshold of 0.001:

>>> print(clipping_spares_most_updates(StepAnatomy(norms=[0.001] * 4, clean_norms=[3.0, 5.0, 4.0, 2.0])))
FAIL: share of the gradient that clipping leaves 0.000292 < 0.03

## Fix
Log the gradient's norm first and clip above its usual values (1 to 10 times the median).

## Sources
- Pascanu, Mikolov, Bengio, On the difficulty of training recurrent networks (2013): thresholds of half to ten times the
  average norm
"""

from statistics import median

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, at_least, passed

MIN_SHARE = 0.03  # of the norm; see "Threshold"
MIN_RESOLUTION = 100.0  # times the optimizer's eps

SPEAKS_FOR = ("gradient_clipped_away",)


def clipping_spares_most_updates(
    step_anatomy: StepAnatomy, *, min_share: float = MIN_SHARE, min_resolution: float = MIN_RESOLUTION
) -> Finding:
    """Ask how much of the gradient clipping leaves."""
    if not step_anatomy.clipped:
        return passed("updates are not clipped")
    left = [n / c for n, c in zip(step_anatomy.norms, step_anatomy.clean_norms, strict=True) if c]
    if step_anatomy.adaptive:
        finding = at_least(step_anatomy.resolution, min_resolution, what="clipped gradient", unit="times eps")
    else:
        finding = at_least(median(left), min_share, what="share of the gradient that clipping leaves")
    return finding.means("gradient_clipped_away")
