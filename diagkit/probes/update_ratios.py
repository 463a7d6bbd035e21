"""How large is an update beside the weight it changes?

Standard deviation of the first updates at the rate that was asked for over that of the weights, as log10, per matrix.

Source: Karpathy, neural networks zero to hero, lecture 4: near -3; well above it the rate is too high, well below it
too low.
"""

import copy
import math
from collections.abc import Iterable
from itertools import cycle, islice
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict
from diagkit.evidence.learning import UpdateRatios
from diagkit.guard import generators
from diagkit.rehearsal import plain_step
from diagkit.subject import NotGiven, TrainStep

DEEP = True
CALLS = 10  # of the training step
MAX_PARAMETERS = 20_000_000  # beyond, the optimizer's state would be a second and third copy


def update_ratios(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> UpdateRatios:
    """Take a few steps on a copy.

    Raises:
        NotGiven: the model is too large, or nothing moves.
    """
    if sum(p.numel() for p in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven("the model is too large to train a copy of it")
    try:
        with generators():
            ours, opt, loss, step = copy.deepcopy((model, optimizer, loss_fn, train_step or plain_step(predict)))
            ratios = _ratios(ours, opt, loss, step, train)
    except NotGiven:
        raise
    except Exception as error:  # anyone's step
        raise NotGiven(f"the training step raised {type(error).__name__}: {error}") from error
    return ratios


def _ratios(
    model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, step: TrainStep, train: Iterable[Any]
) -> UpdateRatios:
    for group in optimizer.param_groups:
        group["lr"] = group.get("max_lr", group.get("initial_lr", group["lr"]))
    matrices = {n: p for n, p in model.named_parameters() if p.requires_grad and p.dim() > 1 and p.numel() > 1}
    updates: list[int] = []
    before: dict[str, torch.Tensor] = {}
    found: dict[str, list[float]] = {name: [] for name in matrices}

    def remember(*_: Any) -> None:
        before.update({name: p.detach().clone() for name, p in matrices.items()})

    def compare(*_: Any) -> None:
        updates.append(1)
        for name, p in matrices.items():
            spread = float(before[name].float().std())
            if spread > 0 and (moved := float((p.detach() - before[name]).float().std())) > 0:
                found[name].append(math.log10(moved / spread))

    optimizer.register_step_pre_hook(remember)
    optimizer.register_step_post_hook(compare)
    model.train()
    for batch in islice(cycle(list(train)), CALLS):
        step(model, copy.deepcopy(batch), loss_fn, optimizer)
    named = {name: sorted(its)[len(its) // 2] for name, its in found.items() if its}
    named = {name: its for name, its in named.items() if math.isfinite(its)}
    if not named:
        raise NotGiven(f"no matrix was moved by {len(updates)} updates")
    return UpdateRatios(list(named), list(named.values()))
