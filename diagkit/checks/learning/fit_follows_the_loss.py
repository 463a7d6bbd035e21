"""Do the outputs come closer to the targets while the loss falls?

## Why it matters
A loss with the wrong sign falls further and further while the model unlearns the task; the curve alone looks splendid.

## Threshold
Where the loss fell: an accuracy of at least `MIN_SHARE = 0.5` of chance, an order of at least 0.25 (0.5 is chance), an
error of at most `MAX_ERROR = 3` times the untrained one (conventions: healthy programs end above chance and below 1).
Outputs may stand on another scale than the targets (logits beside probabilities): an error does not count where they
correlate with the targets at `MIN_CORRELATION = 0.3` or more; those of a model that its targets repel end near 0 or
below.

## Cost
Forward passes of up to 30 batches, untrained and trained.

## Examples
PASS:

>>> from diagkit.evidence.learning import FitAndLoss
>>> print(fit_follows_the_loss(FitAndLoss(900, "accuracy", 2.3, 0.4, 0.1, 0.9, 0.1)))
PASS: accuracy of the trained model 0.9 >= 0.05

FAIL, the mean log likelihood as loss:

>>> print(fit_follows_the_loss(FitAndLoss(900, "accuracy", -2.3, -70.0, 0.1, 0.0, 0.1)))
FAIL: accuracy of the trained model 0 < 0.05, while the loss fell from -2.3 to -70

FAIL, minus the squared error:

>>> nan = float("nan")
>>> print(fit_follows_the_loss(FitAndLoss(900, "error", -1.0, -90.0, -1.0, -90.0, nan)))
FAIL: squared error of the trained model 90 > 3 times that of the untrained one, while the loss fell from -1 to -90

PASS, logits beside probabilities:

>>> print(fit_follows_the_loss(FitAndLoss(900, "error", 44.7, 23.0, -1.0, -80.0, nan, correlation=0.8)))
PASS: correlation of outputs and targets 0.8 >= 0.3

SKIP, nothing to follow:

>>> print(fit_follows_the_loss(FitAndLoss(900, "accuracy", 2.3, 2.4, 0.1, 0.1, 0.1)))
SKIP: the loss did not fall (2.3 to 2.4)

## Fix
Minimize the negative log likelihood, the error, or one minus the similarity.

## Sources
- Slav Ivanov, 37 reasons why your neural network is not working: check your loss function
"""

from dataclasses import replace

from diagkit.evidence.learning import FitAndLoss
from diagkit.finding import Finding, at_least, at_most, skipped

MIN_SHARE = 0.5  # of chance; see "Threshold"
MAX_ERROR = 3.0  # times the untrained error
MIN_CORRELATION = 0.3
MIN_ROWS = 100

SPEAKS_FOR = ("wrong_sign",)


def fit_follows_the_loss(
    fit_and_loss: FitAndLoss,
    *,
    min_share: float = MIN_SHARE,
    max_error: float = MAX_ERROR,
    min_correlation: float = MIN_CORRELATION,
) -> Finding:
    """Compare the fit with chance or the start, where the loss fell."""
    f = fit_and_loss
    if not f.loss_after < f.loss_before:
        return skipped(f"the loss did not fall ({f.loss_before:.3g} to {f.loss_after:.3g})")
    if f.rows < MIN_ROWS:
        return skipped(f"only {f.rows} examples")
    if f.kind == "error":
        ratio = f.fit_after / f.fit_before if f.fit_before else 1.0
        what, unit = "squared error of the trained model", "times that of the untrained one"
        finding = at_most(ratio, max_error, what=what, unit=unit)
        if not finding and f.correlation >= min_correlation:
            return at_least(f.correlation, min_correlation, what="correlation of outputs and targets")
    else:
        finding = at_least(f.fit_after, min_share * f.chance, what=f"{f.kind} of the trained model")
    if finding:
        return finding
    text = f"{finding.text}, while the loss fell from {f.loss_before:.3g} to {f.loss_after:.3g}"
    unless = ("misaligned_targets", "target_shift", "loss_broadcasting", "evaluation_in_train_mode", "wrong_loss")
    certain = f.loss_after < 0  # no usual loss is
    finding = replace(finding, text=text)
    return finding.means("wrong_sign") if certain else finding.suggests("wrong_sign", unless=unless)
