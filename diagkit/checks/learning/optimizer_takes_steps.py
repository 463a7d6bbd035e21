"""Does the optimizer get to use the gradients?

## Why it matters
A training step that computes gradients and never calls `optimizer.step()`, or clears them just before, leaves the
weights as they are, and nothing complains.

## Threshold
`MAX_CALLS = 64` training steps without an update (convention: more batches are hardly ever gathered for one), and no
update that sees only zeros while the loss has a gradient.

## Cost
Four training steps on a copy, up to 70 where no update comes.

## Examples
PASS:

>>> from diagkit.evidence.learning import StepAnatomy
>>> print(optimizer_takes_steps(StepAnatomy()))
PASS: 4 updates in 4 training steps

FAIL, `optimizer.step()` is missing:

>>> print(optimizer_takes_steps(StepAnatomy(calls=70, steps=0)))
FAIL: no update in 70 training steps

FAIL, `zero_grad` between `backward` and `step`:

>>> print(optimizer_takes_steps(StepAnatomy(empty_steps=4)))
FAIL: 4 of 4 updates saw no gradient, though the loss has one

SKIP, the step moves the weights itself:

>>> print(optimizer_takes_steps(StepAnatomy(calls=1, steps=0, moved_alone=True)))
SKIP: the training step moves the weights without the optimizer

## Fix
The order is `zero_grad`, `backward`, `step`, on the optimizer that owns the model's parameters.

## Sources
- PyTorch tutorial, optimizing model parameters: the three calls of a training step
"""

from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Finding, failed, passed, skipped

MAX_CALLS = 64  # training steps without an update; see "Threshold"

SPEAKS_FOR = ("missing_optimizer_step",)


def optimizer_takes_steps(step_anatomy: StepAnatomy, *, max_calls: int = MAX_CALLS) -> Finding:
    """Count updates, and those without a gradient."""
    calls, steps, empty = step_anatomy.calls, step_anatomy.steps, step_anatomy.empty_steps
    if step_anatomy.moved_alone:
        return skipped("the training step moves the weights without the optimizer")
    if not steps and calls <= max_calls:
        return skipped(f"no update in the {calls} training steps that there was time for")
    if not steps:
        return failed(f"no update in {calls} training steps").means("missing_optimizer_step")
    if empty == steps:
        text = f"{empty} of {steps} updates saw no gradient, though the loss has one"
        return failed(text).means("missing_optimizer_step")
    return passed(f"{steps} updates in {calls} training steps")
