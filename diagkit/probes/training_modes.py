"""Are dropout and batch statistics on while the model trains?

One step of the subject's own runs on a copy, or where there is none a forward pass in train mode on the model itself,
and every module whose mode matters is looked at when it is called. A part
that is frozen as a whole is meant to stay in eval mode, and so are batch statistics that come from an earlier training.
"""

import copy
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.environment import TrainingModes
from diagkit.guard import generators, untouched
from diagkit.subject import NotGiven, TrainStep


def training_modes(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> TrainingModes:
    """Take one training step on a copy and name the modules that were in eval mode without a reason.

    Raises:
        NotGiven: no module's mode matters, or the step raises.
    """
    if not any(_mode_matters(module) for module in model.modules()):
        raise NotGiven("the model has neither dropout nor batch statistics")
    if train_step is not None:
        model, optimizer, loss_fn, train_step = copy.deepcopy((model, optimizer, loss_fn, train_step))
    modes: dict[str, bool] = {}
    hooks = [
        module.register_forward_pre_hook(lambda m, _, name=name: modes.__setitem__(name, m.training))
        for name, module in model.named_modules()
        if _mode_matters(module) and not _on_purpose(model, name, module)
    ]
    try:
        with generators(), untouched(model):
            model.train()
            if train_step is not None:
                train_step(model, next(iter(train)), loss_fn, optimizer)
            else:
                with torch.no_grad():
                    call(model, split(next(iter(train)))[0], predict)
    except Exception as error:
        raise NotGiven(f"the training step raises {type(error).__name__}: {error}") from error
    finally:
        for hook in hooks:
            hook.remove()
    return TrainingModes(len(modes), [name for name, training in modes.items() if not training], train_step is not None)


def _mode_matters(module: nn.Module) -> bool:
    if isinstance(module, _DropoutNd):
        return bool(module.p > 0)
    if isinstance(module, nn.MultiheadAttention):
        return bool(module.dropout > 0)
    if isinstance(module, nn.RNNBase):
        return bool(module.dropout > 0 and module.num_layers > 1)
    return isinstance(module, _BatchNorm) and bool(module.track_running_stats)


def _on_purpose(model: nn.Module, name: str, module: nn.Module) -> bool:
    """Return whether a module may stay in eval mode: the smallest part around it that has parameters is frozen."""
    if isinstance(module, _BatchNorm) and module.running_mean is not None and bool((module.running_mean != 0).any()):
        return True
    while not any(True for _ in module.parameters()) and name:
        name = name.rpartition(".")[0]
        module = model.get_submodule(name)
    return not any(parameter.requires_grad for parameter in module.parameters())
