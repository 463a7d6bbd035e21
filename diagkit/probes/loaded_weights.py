"""Is the model that is scored the one that was trained?"""

import torch
from torch import Tensor, nn

from diagkit.evidence.environment import LoadedWeights


def loaded_weights(model: nn.Module, trained_model: nn.Module, evaluated_model: nn.Module) -> LoadedWeights:
    """List the tensors that differ between the trained and the scored model, and those of them that are initial."""
    initial, scored = model.state_dict(), evaluated_model.state_dict()
    learnt = trained_model.state_dict()
    different = [name for name, tensor in learnt.items() if not _equal(tensor, scored[name])]
    return LoadedWeights(len(learnt), different, sum(_equal(initial[name], scored[name]) for name in different))


def _equal(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)
