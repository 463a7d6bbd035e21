"""Do the units of a layer differ?

Units that start with the same weights get the same gradient and stay the same: a layer of them is one unit.

Source: CS231n, weight initialization, "all zero initialization".
"""

import torch
from torch import Tensor, nn

from diagkit.evidence.learning import UnitSymmetry
from diagkit.probes.weight_distribution import layer_fans
from diagkit.subject import NotGiven

MAX_UNITS = 4096  # of a layer; beyond, the first ones


@torch.no_grad()
def unit_symmetry(model: nn.Module, trained_model: nn.Module) -> UnitSymmetry:
    """Count units with the same weights as another one, before and after training.

    Raises:
        NotGiven: the model has no layer with more than one unit.
    """
    names = list(layer_fans(model))
    before, after = dict(model.named_parameters()), dict(trained_model.named_parameters())
    names = [n for n in names if n in after and before[n].shape[0] > 1 and before[n].requires_grad]
    if not names:
        raise NotGiven("the model has no learning layer with more than one unit")
    moved = any(not torch.equal(p, after[n]) for n, p in before.items() if n in after)
    return UnitSymmetry(names, [_same(after[n]) for n in names], [_same(before[n]) for n in names], moved)


def _same(weight: Tensor) -> float:
    units = weight.detach()[:MAX_UNITS].flatten(1)
    counts = torch.unique(units, dim=0, return_counts=True)[1]
    return float(counts[counts > 1].sum()) / len(units)
