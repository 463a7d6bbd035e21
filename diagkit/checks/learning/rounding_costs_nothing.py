"""Would the training get further if its weights were kept in single precision?

## Why it matters
A network that lives in bfloat16 starts to learn like any other. Later its updates are smaller than the last digit of
the weights, and they vanish without a word: the loss stops where a copy in single precision would go on.

## Threshold
`MAX_RATIO = 1.3` between the training losses after 200 more steps as it is and with weights in single precision
(convention).

## Cost
400 training steps on copies, only where weights are in half precision; at most 16 seconds.

## Examples
PASS:

>>> from diagkit.evidence.learning import FormatTrial
>>> print(rounding_costs_nothing(FormatTrial(200, 0.154, 0.141)))
PASS: loss after 200 more steps 1.09 <= 1.3 times that with weights in single precision

FAIL:

>>> print(rounding_costs_nothing(FormatTrial(200, 0.229, 0.132)))
FAIL: loss after 200 more steps 1.73 > 1.3 times that with weights in single precision (0.229 against 0.132)

## Fix
Keep the weights in float32 and compute in half precision (`torch.autocast`).

## Sources
- Micikevicius et al., Mixed precision training (2018): a copy of the weights in single precision
"""

from dataclasses import replace

from diagkit.evidence.learning import FormatTrial
from diagkit.finding import Finding, at_most, skipped

MAX_RATIO = 1.3  # see "Threshold"

SPEAKS_FOR = ("low_precision",)


def rounding_costs_nothing(format_trial: FormatTrial, *, max_ratio: float = MAX_RATIO) -> Finding:
    """Judge how much lower the loss gets."""
    its = format_trial
    if not its.single > 0:
        return skipped(f"a loss of {its.single:.3g} has no ratio")
    what = f"loss after {its.steps} more steps"
    finding = at_most(its.kept / its.single, max_ratio, what=what, unit="times that with weights in single precision")
    text = f"{finding.text} ({its.kept:.3g} against {its.single:.3g})"
    return finding if finding else replace(finding, text=text).means("low_precision")
