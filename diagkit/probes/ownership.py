"""Does the optimizer own every parameter that is meant to learn?"""

import torch
from torch import nn

from diagkit.evidence.learning import Ownership


def ownership(model: nn.Module, optimizer: torch.optim.Optimizer) -> Ownership:
    """Compare the model's parameters with the optimizer's groups."""
    owned = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    named = list(model.named_parameters())
    return Ownership(len(named), [name for name, p in named if p.requires_grad and id(p) not in owned])
