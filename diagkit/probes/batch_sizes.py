"""How many examples does a batch hold, and how many values does a batch normalization see?

Source: Ioffe and Szegedy (2015) on batch statistics; Wu and He, Group normalization (2018), on small batches.
"""

from collections.abc import Iterable
from statistics import median_low
from typing import Any

import torch
from torch import nn

from diagkit.batches import Predict, call, pairs, rows, tensors
from diagkit.evidence.learning import BatchSizes
from diagkit.guard import generators, untouched
from diagkit.subject import NotGiven


def batch_sizes(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> BatchSizes:
    """Count the examples of the batches, and what each normalization is given in the typical and the smallest one.

    Raises:
        NotGiven: the batches have no rows.
    """
    try:
        batches = {rows(inputs): inputs for inputs, _ in pairs(train)}
        counts = [rows(inputs) for inputs, _ in pairs(train)]
        typical, smallest = median_low(counts), min(counts)
    except Exception as error:  # inputs without tensors
        raise NotGiven(f"the batches cannot be counted: {error}") from error
    seen = _values(model, batches[typical], predict)
    fewest = seen if smallest == typical else _values(model, batches[smallest], predict)
    return BatchSizes(
        typical, smallest, sum(counts), list(seen), list(seen.values()), [fewest.get(name, 0) for name in seen]
    )


def _values(model: nn.Module, inputs: Any, predict: Predict | None) -> dict[str, int]:
    """Return how many values per channel each batch normalization computes its statistics from."""
    seen: dict[str, int] = {}

    def note(name: str, given: Any) -> None:
        values = tensors(given)[0]
        seen[name] = values.numel() // max(values.shape[1] if values.dim() > 1 else 1, 1)

    hooks = [
        module.register_forward_pre_hook(lambda _, given, name=name: note(name, given))
        for name, module in model.named_modules()
        if isinstance(module, nn.modules.batchnorm._BatchNorm) and any(p.requires_grad for p in module.parameters())
    ]
    try:
        with untouched(model), generators(), torch.no_grad():
            model.train()
            call(model, inputs, predict)
    except Exception:  # a single value per channel raises, after it was seen
        pass
    finally:
        for hook in hooks:
            hook.remove()
    return seen
