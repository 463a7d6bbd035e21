"""Does the loss level off before the training ends?

## Why it matters
A training that is stopped on the slope has learnt what is commonest and little else: a translator that knows only how
often each word occurs writes one word, or none. What it scores says nothing about model or data.

## Threshold
`MIN_LEFT = 0.5` of the loss of a uniform guess is still left on validation, and at the pace of its last quarter, six
steps at least, as many more would bring it down by over `MAX_FALL = 0.07` of that loss (convention). The pace is a
least squares slope less two standard errors, and validation must go down as fast. Measured: `translation` stopped
after 7 of 120 steps 0.084 to 0.163, three seeds; 8 of 67 healthy programs, one seed, have so much left, and their fall
is at most 0.011.

## Cost
Reads the logged losses. No further step: whether one would help is asked by `training_ran_long_enough`.

## Examples
>>> from diagkit.evidence.fit import Fit
>>> from diagkit.evidence.learning import InitialLoss
>>> from diagkit.evidence.training import History
>>> guess = InitialLoss(320, 5.2, 4.83, float("nan"))

PASS:

>>> curve = [5.2, 2.1, 1.1, 0.7, 0.5, 0.4, 0.35, 0.32]
>>> done = History(curve, [0.1] * 8, 0.1, [4, 8], [0.6, 0.3])
>>> print(loss_levels_off(done, Fit(5.2, 0.3, 0.3, 0.3, 3000, True), guess))
PASS: loss left 0.0621 <= 0.5 of a uniform guess's

FAIL, stopped after seven steps:

>>> slope = History([5.2, 4.8, 4.5, 4.2, 3.9, 3.6, 3.3], [0.1] * 7, 0.1, [7], [3.3])
>>> print(loss_levels_off(slope, Fit(5.2, 3.3, 3.3, 3.3, 3000, True), guess))
FAIL: as many steps as the last 6 would lower the loss by 0.337 > 0.07 of a uniform guess's, of which 0.683 is left

SKIP:

>>> print(loss_levels_off(History([5.2] * 3, [0.1] * 3, 0.1, [3], [5.2]), Fit(5.2, 5.2, 5.2, 5.2, 3000, True), guess))
SKIP: only 3 steps were taken

## Fix
Train on until the validation loss stays where it is for some evaluations; look at a few outputs before any score.

## Sources
- Karpathy, A recipe for training neural networks (2019): leave it training
"""

import math
from dataclasses import replace

import numpy as np

from diagkit.checks.wrong_thing.training_ran_long_enough import EXPLAINED_BY
from diagkit.evidence.fit import Fit
from diagkit.evidence.learning import InitialLoss
from diagkit.evidence.training import History
from diagkit.finding import Finding, at_most, skipped

MIN_LEFT = 0.5  # of a uniform guess's loss; see "Threshold"
MAX_FALL = 0.07  # of a uniform guess's loss; see "Threshold"
MIN_STEPS = 6  # for a slope and its error

SPEAKS_FOR = ("undertrained",)


def loss_levels_off(
    history: History,
    fit: Fit,
    initial_loss: InitialLoss,
    *,
    min_left: float = MIN_LEFT,
    max_fall: float = MAX_FALL,
) -> Finding:
    """Judge the slope that the loss ends on, where much of it is left."""
    guess, steps = initial_loss.reference, len(history.losses)
    if not guess > 0:
        return skipped(f"a uniform guess has the loss {guess:g}, so there is no scale for a slope")
    if steps < MIN_STEPS:
        return skipped(f"only {steps} steps were taken")
    if not math.isfinite(sum(history.losses) + fit.val):
        return skipped("the loss is not finite; `loss_stays_finite` asks why")
    left = fit.val / guess
    if left <= min_left:
        return at_most(left, min_left, what="loss left", unit="of a uniform guess's")
    last = max(MIN_STEPS, steps // 4)
    fall = min(_fall(history.losses[-last:]), _held_out(history, fit, last)) / guess
    what = f"as many steps as the last {last} would lower the loss by"
    finding = at_most(fall, max_fall, what=what, unit="of a uniform guess's")
    text = f"{finding.text}, of which {left:.3g} is left"
    return replace(finding, text=text).suggests("undertrained", unless=EXPLAINED_BY)


def _fall(losses: list[float]) -> float:
    """Return the fall of a line through the losses, less two standard errors.

    Source: the variance of a least squares slope, any textbook of regression.
    """
    y = np.array(losses)
    x = np.arange(len(y)) - (len(y) - 1) / 2
    slope = x @ y / (x @ x)
    residual = y - y.mean() - slope * x
    error = math.sqrt(residual @ residual / (len(y) - 2) / (x @ x))
    return float(-slope - 2 * error) * len(y)


def _held_out(history: History, fit: Fit, last: int) -> float:
    """Return the fall of the validation loss in the last steps."""
    losses = [fit.untrained, *history.val_losses]
    if len(losses) == 1:
        return (fit.untrained - fit.val) * last / len(history.losses)
    before = np.interp(len(history.losses) - last, [0, *history.val_steps], losses)
    return float(before) - losses[-1]
