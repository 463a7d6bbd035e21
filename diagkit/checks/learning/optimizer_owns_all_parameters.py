"""Does the optimizer own every parameter that is meant to learn?

## Why it matters
A parameter outside the optimizer gets its gradient and never moves: a layer replaced after the optimizer was made, or a
list of modules that is not a `ModuleList`.

## Threshold
None: one parameter tensor outside is enough. Frozen ones do not count.

## Cost
Compares identities; no forward pass.

## Examples
PASS:

>>> from diagkit.evidence.learning import Ownership
>>> print(optimizer_owns_all_parameters(Ownership(8, [])))
PASS: the optimizer owns all 8 parameter tensors

FAIL, the head was replaced after the optimizer was made:

>>> print(optimizer_owns_all_parameters(Ownership(8, ["head.weight", "head.bias"])))
FAIL: 2 of 8 parameter tensors belong to no optimizer: head.weight, head.bias

## Fix
Build the optimizer last, from `model.parameters()`.

## Sources
- PyTorch documentation of `torch.optim`: construct the optimizer after the model has its final parameters
"""

from diagkit.evidence.learning import Ownership
from diagkit.finding import Finding, failed, passed

NAMES_SHOWN = 3

SPEAKS_FOR = ("parameters_not_in_optimizer",)


def optimizer_owns_all_parameters(ownership: Ownership) -> Finding:
    """Name the parameters that no optimizer owns."""
    missing = ownership.missing
    if not missing:
        return passed(f"the optimizer owns all {ownership.parameters} parameter tensors")
    more = f" and {len(missing) - NAMES_SHOWN} more" if len(missing) > NAMES_SHOWN else ""
    names = ", ".join(missing[:NAMES_SHOWN]) + more
    text = f"{len(missing)} of {ownership.parameters} parameter tensors belong to no optimizer: {names}"
    return failed(text).means("parameters_not_in_optimizer")
