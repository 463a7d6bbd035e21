"""Can the last activation reach the targets?

## Why it matters
A ReLU gives nothing below 0 and a sigmoid nothing above 1. Targets out there are never met: outputs stop at the
limit, where the gradient is zero, and the examples that need it most teach nothing.

## Threshold
`MAX_BEYOND = 0.01` of the targets may lie outside the reach (convention: rare outliers are cut on purpose). For
classes, the best outputs within reach may cost `MAX_EXCESS = 0.1` of the loss of a guess more than the best outputs
without limit. In 67 healthy programs nothing lies out of reach, and none limits its scores.

## Cost
One forward pass and a few calls of the loss on 32 examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import LossForm, OutputForm
>>> def outputs(activation, low, high, beyond=0.0, targets="numbers"):
...     return OutputForm([32, 1], [32, 1], targets, [], activation, low, high, [], [], False, beyond)
>>> print(outputs_reach_the_targets(outputs("", None, None), LossForm(1, False, 1, free=0.0)))
PASS: no last activation limits the outputs

FAIL, a ReLU before targets around 0:

>>> print(outputs_reach_the_targets(outputs("relu", 0, None, 0.5), LossForm(1, False, 1, in_reach=0.4, free=0.0)))
FAIL: targets beyond the reach of the relu (0 to any) 0.5 > 0.01 of all

FAIL, tanh before cross entropy of ten classes:

>>> form = LossForm(1, False, 1, in_reach=0.795, free=0.0, chance=2.303)
>>> print(outputs_reach_the_targets(outputs("tanh", -1, 1, targets="ids"), form))
FAIL: what right outputs cost because of the tanh 0.345 > 0.1 of the loss of a guess

## Fix
End with a plain linear layer for numbers and scores; or bring the targets into the activation's range, and back when
reading.

## Sources
- Slavv, 37 reasons why your neural network is not working (2017): check your loss and your last layer
"""

from diagkit.evidence.wrong_thing import LossForm, OutputForm
from diagkit.finding import Finding, at_most, passed

MAX_BEYOND = 0.01  # share of targets; see "Threshold"
MAX_EXCESS = 0.1  # of the loss of a guess; see "Threshold"

SPEAKS_FOR = ("output_range",)


def outputs_reach_the_targets(
    output_form: OutputForm, loss_form: LossForm, *, max_beyond: float = MAX_BEYOND, max_excess: float = MAX_EXCESS
) -> Finding:
    """Judge the share of targets out of reach, for classes what the limit costs."""
    name, best, free = output_form.activation, loss_form.in_reach, loss_form.free
    if not name or best is None or free is None:
        return passed(f"{'nothing lies beyond the ' + name if name else 'no last activation limits the outputs'}")
    if output_form.targets == "numbers":
        beyond = output_form.beyond if best > free else 0.0
        what = f"targets beyond the reach of the {name} ({_limit(output_form.low)} to {_limit(output_form.high)})"
        return at_most(beyond, max_beyond, what=what, unit="of all").means("output_range")
    excess = (best - free) / max(abs(loss_form.chance or 0.0), 1e-6)
    if (output_form.low, output_form.high) == (0, 1):
        return passed(f"a {name} gives probabilities; whether the loss expects them is asked elsewhere")
    what = f"what right outputs cost because of the {name}"
    return at_most(excess, max_excess, what=what, unit="of the loss of a guess").means("output_range")


def _limit(value: float | None) -> str:
    return "any" if value is None else f"{value:g}"
