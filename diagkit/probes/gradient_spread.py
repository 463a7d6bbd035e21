"""How strongly does the loss react to the weights of each layer, from the first to the last?

Measured without unit: the norm of a weight times that of its gradient, over the loss. Where the first layers stand
orders of magnitude below the last, next to nothing reaches them.

Source: Glorot and Bengio (2010) on the flow of gradients through layers; Pascanu et al. (2013).
"""

import copy
from collections.abc import Iterable
from itertools import islice
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.learning import GradientSpread
from diagkit.guard import generators, untouched
from diagkit.probes.weight_distribution import LAYERS
from diagkit.subject import NotGiven

DEEP = True
BATCHES = 4


def gradient_spread(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    predict: Predict | None = None,
) -> GradientSpread:
    """Measure both models on the first batches.

    Raises:
        NotGiven: fewer than three layers have a weight that learns.
    """
    batches = [split(batch) for batch in islice(train, BATCHES)]
    names = _order(model, batches[0][0], predict)
    if len(names) < 3:
        raise NotGiven("fewer than three layers have a weight that learns")
    return GradientSpread(names, *(_reactions(m, names, batches, loss_fn, predict) for m in (model, trained_model)))


def _order(model: nn.Module, inputs: Any, predict: Predict | None) -> list[str]:
    """Return the names of the layers' weights in the order in which the forward pass uses them."""
    names: dict[str, None] = {}
    own = {id(p): name for name, p in model.named_parameters() if p.requires_grad}

    def note(module: nn.Module, _: Any) -> None:
        for weight in module.parameters(recurse=False):
            if weight.dim() > 1 and id(weight) in own:
                names[own[id(weight)]] = None

    hooks = [m.register_forward_pre_hook(note) for m in model.modules() if isinstance(m, LAYERS)]
    try:
        with untouched(model), generators(), torch.no_grad():
            call(model, inputs, predict)
    finally:
        for hook in hooks:
            hook.remove()
    return list(names)


def _reactions(
    model: nn.Module, names: list[str], batches: list[Any], loss_fn: Loss, predict: Predict | None
) -> list[float]:
    parameters = dict(model.named_parameters())
    weights = [parameters[name] for name in names]
    total = [0.0] * len(names)
    with untouched(model), generators():
        model.train()
        for inputs, targets in batches:
            loss = loss_fn(call(model, inputs, predict), copy.deepcopy(targets))
            if not loss.requires_grad:
                raise NotGiven("the loss does not require a gradient")
            height = max(abs(float(loss.detach())), 1e-12)
            gradients = torch.autograd.grad(loss, weights, allow_unused=True)
            for i, (w, g) in enumerate(zip(weights, gradients, strict=True)):
                if g is not None:
                    size = float(w.detach().float().norm() * g.float().norm())
                    total[i] += size / height / len(batches)
    return total
