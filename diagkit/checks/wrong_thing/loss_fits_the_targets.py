"""Does the loss fit what outputs and targets are?

## Why it matters
A loss that was made for something else runs without an error. It has its lowest point elsewhere or none at all, and
training walks there.

## Threshold
None of these is a matter of degree; each was looked for in 67 healthy programs and 65 cases of other faults, and not
found in one:

- it returns one number per example, and no step of the caller's own reduces it;
- it falls without end as outputs grow, in proportion to them, and outputs are free to grow (`NLLLoss` on scores, a
  difference without a square, binary cross entropy on class ids of 2 and more);
- it is a straight line in probabilities (`NLLLoss` or `KLDivLoss` without the logarithm);
- several labels may be true at once, but it normalizes over them, so that they compete;
- its lowest point is where one output equals the number of the class, in a classification;
- it takes outputs for logarithms of rates (`PoissonNLLLoss` with its `log_input=True`), and the last layer lets none
  fall below 0;
- it does not depend on the targets.

## Cost
A dozen calls of the loss on 32 examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import LossForm, OutputForm
>>> def outputs(targets="ids", summing=(), logs=()):
...     return OutputForm([32, 10], [32], targets, [1], "", None, None, list(summing), list(logs), False, 0.0)
>>> print(loss_fits_the_targets(outputs(), LossForm(1, False, 1, descent=[0.0, 0.0, 0.0], target_effect=0.2)))
PASS: the loss is one number with a lowest point, and depends on the targets

FAIL, `NLLLoss` without `log_softmax`:

>>> falling = LossForm(1, False, 1, slopes=[-1.0] * 4, descent=[-50.0, -100.0, -200.0], target_effect=0.2)
>>> print(loss_fits_the_targets(outputs(), falling))
FAIL: the loss falls without end as outputs grow (-200 at outputs of 200)

PASS, with it the outputs cannot grow:

>>> print(loss_fits_the_targets(outputs(logs=[1]), falling))
PASS: the loss is one number with a lowest point, and depends on the targets

FAIL, several labels under cross entropy:

>>> competing = LossForm(1, False, 1, class_shift=0.0, batch_shift=0.3, target_effect=0.2)
>>> print(loss_fits_the_targets(outputs("zeros and ones"), competing))
FAIL: several labels can be true at once, but the loss normalizes over them, so they compete

## Fix
One class of several: `CrossEntropyLoss` on scores. Several labels or yes and no: `BCEWithLogitsLoss`. Numbers:
`MSELoss` or `SmoothL1Loss`. Log probabilities: `NLLLoss`. And a reduction that returns one number.

## Sources
- PyTorch documentation of NLLLoss, KLDivLoss and CrossEntropyLoss: what the input is expected to contain
- DeepCrime's mutation operator "change loss function" (ISSTA 2021)
"""

from collections.abc import Iterator

from diagkit.evidence.wrong_thing import LossForm, OutputForm
from diagkit.finding import Finding, failed, passed

MAX_BEND = 0.01  # of a slope, within which a line is straight; rounding stays far below
MAX_EFFECT = 1e-9  # of the loss, rounding

SPEAKS_FOR = ("wrong_loss",)


def loss_fits_the_targets(output_form: OutputForm, loss_form: LossForm, *, max_bend: float = MAX_BEND) -> Finding:
    """Name the first way in which the loss does not fit."""
    for text in _misfits(output_form, loss_form, max_bend):
        return failed(text).means("wrong_loss")
    return passed("the loss is one number with a lowest point, and depends on the targets")


def _misfits(outputs: OutputForm, loss: LossForm, max_bend: float) -> Iterator[str]:
    if loss.elements != 1 and not loss.own_step:
        yield f"the loss returns {loss.elements} numbers instead of one"
    if loss.ids_as_numbers:
        yield "one output per example is compared with the number of its class, as if classes were quantities"
    if loss.logs_expected and outputs.low == 0:
        yield "the loss takes outputs for logarithms of rates, and the model's last layer gives rates, never below 0"
    straight = _straight(loss.slopes, max_bend)
    if straight and set(outputs.summing_axes) & set(outputs.class_axes):
        yield "the loss is a straight line in the probabilities that the model gives; it expects their logarithm"
    free = outputs.low is None and outputs.high is None and not outputs.summing_axes and not outputs.log_summing_axes
    if free and (straight or _endless(loss.descent, max_bend)):
        reached = f" ({loss.descent[-1]:.3g} at outputs of 200)" if loss.descent else ""
        yield f"the loss falls without end as outputs grow{reached}"
    if outputs.targets == "zeros and ones" and _competing(loss):
        yield "several labels can be true at once, but the loss normalizes over them, so they compete"
    if loss.target_effect is not None and loss.target_effect < MAX_EFFECT and loss.parts == 1:
        yield "the loss does not depend on the targets"


def _straight(slopes: list[float], max_bend: float) -> bool:
    size = max(map(abs, slopes), default=0.0)
    return size > 1e-3 and max(slopes) - min(slopes) < max_bend * size


def _endless(descent: list[float], max_bend: float) -> bool:
    if len(descent) < 3 or descent[-1] > -1:
        return False
    first, second = descent[1] - descent[0], descent[2] - descent[1]
    return first < 0 and abs(second - 2 * first) < max_bend * abs(second)


def _competing(loss: LossForm) -> bool:
    along, across = loss.class_shift, loss.batch_shift
    return along is not None and across is not None and along < 1e-5 and across > 1e-3
