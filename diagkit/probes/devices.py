"""Where do the parameters and the batches live?"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from diagkit.batches import tensors
from diagkit.evidence.environment import Devices


def devices(model: nn.Module, train: Iterable[Any]) -> Devices:
    """List the devices of parameters, buffers and the first training batch, and those that this machine has."""
    found: dict[str, str] = {}
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        found.setdefault(str(tensor.device), name)
    batch = {str(tensor.device) for tensor in tensors(next(iter(train)))}
    return Devices(found, sorted(batch), _available())


def _available() -> list[str]:
    accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return ["cpu"] + ([] if accelerator is None else [str(accelerator)])
