"""What was the last operation of a model, and what can it reach?

Read from the graph that the forward pass leaves: operations that only change the shape are passed over, the first
other one is the answer.
"""

from typing import Any

from torch import Tensor

SHAPE_ONLY = {
    "alias", "clone", "contiguous", "expand", "flatten", "index", "permute", "reshapealias", "select", "slice",
    "split", "squeeze", "t", "tocopy", "transpose", "unbind", "unsafeview", "unsqueeze", "view",
}  # fmt: skip
REACH: dict[str, tuple[float | None, float | None]] = {
    "sigmoid": (0, 1), "hardsigmoid": (0, 1), "softmax": (0, 1), "safesoftmax": (0, 1), "tanh": (-1, 1),
    "relu": (0, None), "softplus": (0, None), "exp": (0, None), "abs": (0, None), "sqrt": (0, None),
    "logsoftmax": (None, 0), "logsigmoid": (None, 0), "hardtanh": (-1, 1),
}  # fmt: skip


def last_activation(prediction: Tensor) -> str:
    """Return the name of the last operation in lower case where it limits the output, else nothing."""
    node: Any = prediction.grad_fn
    while node is not None and _name(node) in SHAPE_ONLY:
        node = node.next_functions[0][0] if node.next_functions else None
    name = "" if node is None else _name(node)
    if name == "hardtanh" and (node._saved_min_val, node._saved_max_val) != (-1, 1):
        return ""
    return name if name in REACH else ""


def _name(node: Any) -> str:
    return str(node.name()).rpartition(":")[2].partition("Backward")[0].replace("_", "").lower()
