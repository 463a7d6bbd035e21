"""Do windows of a series stay on one side of the split?

## Why it matters
Windows that overlap are nearly the same example. Cut first and split at random, almost every test window is known
from its neighbour, and the score says nothing of the time to come.

## Threshold
`MAX_SHARE = 0.25` of the held-out windows may share half of their values with a training window that is shifted
(convention: a split in time without a gap shares the few windows at the border; a random split shares nearly all).

## Cost
Looks half windows up among all of training. No model.

## Examples
PASS, a split in time:

>>> from diagkit.evidence.measurement import WindowOverlap
>>> print(windows_stay_apart(WindowOverlap(500, "test", 0.03, 18)))
PASS: test windows that share 18 values in a row with a training window 0.03 <= 0.25

FAIL, windows split at random:

>>> print(windows_stay_apart(WindowOverlap(500, "test", 1.0, 18)))
FAIL: test windows that share 18 values in a row with a training window 1 > 0.25

## Fix
Cut the series first, with a gap of one window between the parts, and make windows in each part by itself
(`sklearn.model_selection.TimeSeriesSplit` with `gap`).

## Sources
- Roberts et al., Cross-validation strategies for data with temporal structure (2017)
- scikit-learn documentation of `TimeSeriesSplit`
"""

from diagkit.evidence.measurement import WindowOverlap
from diagkit.finding import Finding, at_most

MAX_SHARE = 0.25  # of the held-out windows; see "Threshold"

SPEAKS_FOR = ("split_leak",)


def windows_stay_apart(window_overlap: WindowOverlap, *, max_share: float = MAX_SHARE) -> Finding:
    """Judge the share of held-out windows that training knows in part."""
    what = f"{window_overlap.split} windows that share {window_overlap.length} values in a row with a training window"
    return at_most(window_overlap.share, max_share, what=what).means("split_leak")
