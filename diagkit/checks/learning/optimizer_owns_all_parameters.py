"""Does the optimizer own every parameter that is meant to learn?

## Why it matters
A parameter outside the optimizer gets its gradient and never moves: a layer replaced after the optimizer was made, or a
list of modules that is not a `ModuleList`, which `model.parameters()` does not see either.

## Threshold
None: one parameter tensor outside is enough. Frozen ones do not count.

## Cost
Compares identities; one forward and backward pass where the model keeps tensors in plain lists.

## Examples
PASS:

>>> from diagkit.evidence.learning import Ownership
>>> print(optimizer_owns_all_parameters(Ownership(8, [])))
PASS: the optimizer owns all 8 parameter tensors

FAIL, the head was replaced after the optimizer was made:

>>> print(optimizer_owns_all_parameters(Ownership(8, ["head.weight", "head.bias"])))
FAIL: 2 of 8 parameter tensors belong to no optimizer: head.weight, head.bias

FAIL, layers in a plain list:

>>> print(optimizer_owns_all_parameters(Ownership(2, [], 0, ["layers[0].weight", "layers[0].bias"])))
FAIL: 2 tensors that the loss depends on are no parameters of the model: layers[0].weight, layers[0].bias

## Fix
Build the optimizer last, from `model.parameters()`. Keep layers in `nn.ModuleList` or `nn.ModuleDict`, tensors that
learn in `nn.Parameter`.

## Sources
- PyTorch documentation of `torch.optim`: construct the optimizer after the model has its final parameters
"""

from diagkit.evidence.learning import Ownership
from diagkit.finding import Finding, failed, passed

NAMES_SHOWN = 3

SPEAKS_FOR = ("parameters_not_in_optimizer",)


def optimizer_owns_all_parameters(ownership: Ownership) -> Finding:
    """Name the parameters that no optimizer owns."""
    missing, hidden = ownership.missing, ownership.unregistered
    if not missing and not hidden:
        return passed(f"the optimizer owns all {ownership.parameters} parameter tensors")
    if missing:
        text = f"{len(missing)} of {ownership.parameters} parameter tensors belong to no optimizer: {_some(missing)}"
    else:
        text = f"{len(hidden)} tensors that the loss depends on are no parameters of the model: {_some(hidden)}"
    return failed(text).means("parameters_not_in_optimizer")


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more
