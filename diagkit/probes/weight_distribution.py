"""How large are the weights of the untrained model?

The gain of a layer is the standard deviation of its weights times the square root of its fan-in: the factor by which it
stretches an input of independent parts. 0.6 to 1.4 is what initializers give.

Sources: CS231n, weight initialization; Glorot and Bengio (2010); He et al. (2015).
"""

import math

import torch
from torch import Tensor, nn

from diagkit.evidence.learning import WeightDistribution
from diagkit.subject import NotGiven

LAYERS = (nn.Linear, nn.modules.conv._ConvNd, nn.RNNBase, nn.RNNCellBase, nn.MultiheadAttention)
NORMS = (
    nn.modules.batchnorm._NormBase,
    nn.LayerNorm,
    nn.GroupNorm,
    nn.RMSNorm,
    nn.LocalResponseNorm,
)


@torch.no_grad()
def weight_distribution(model: nn.Module) -> WeightDistribution:
    """Measure every weight, and the gain of those whose layer is known.

    Raises:
        NotGiven: the model has no parameters.
    """
    named = [(n, p) for n, p in model.named_parameters() if not isinstance(p, nn.parameter.UninitializedParameter)]
    if not named:
        raise NotGiven("the model has no parameters")
    fans = layer_fans(model)
    ordered = list(fans)
    stats = [_statistics(p) for _, p in named]
    return WeightDistribution(
        names=[name for name, _ in named],
        shapes=[list(p.shape) for _, p in named],
        means=[mean for mean, _, _ in stats],
        stds=[std for _, std, _ in stats],
        largest=[largest for _, _, largest in stats],
        gains=[
            std * math.sqrt(fans[name]) if name in fans else math.nan
            for (name, _), (_, std, _) in zip(named, stats, strict=True)
        ],
        finite=[bool(torch.isfinite(p).all()) for _, p in named],
        hidden=[name in fans and name != ordered[-1] for name, _ in named],
        normalized=any(isinstance(module, NORMS) for module in model.modules()),
    )


def layer_fans(model: nn.Module) -> dict[str, int]:
    """Return the fan-in of every weight of a linear, convolutional, recurrent or attention layer, by its name.

    A weight that is shared goes by its first name, whichever layer that is.
    """
    names = {id(p): name for name, p in model.named_parameters()}
    fans = {}
    for module in model.modules():
        if isinstance(module, LAYERS):
            for weight in module.parameters(recurse=isinstance(module, nn.MultiheadAttention)):
                lazy = isinstance(weight, nn.parameter.UninitializedParameter)
                if not lazy and weight.dim() > 1 and id(weight) in names:
                    fans[names[id(weight)]] = weight[0].numel()
    return fans


def _statistics(p: Tensor) -> tuple[float, float, float]:
    values = p.detach().abs() if p.is_complex() else p.detach().float()
    std = float(values.std(unbiased=False)) if values.numel() > 1 else 0.0
    return float(values.mean()), std, float(values.abs().max()) if values.numel() else 0.0
