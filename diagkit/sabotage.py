"""The breaks that no honest setting expresses: one short function each, named by a breakage.

The first parameter says what a function breaks. `examples` or `training`: a choice of `data.corruption`, which gets the
examples of training and validation, or of training alone, and a seeded generator, and returns them broken; the runner
refuses one that changed nothing. `model`, `loss_fn` or `optimizer`: a choice of `sabotage`, which gets that part of a
healthy training and the recipe's task, and raises `Refused` where there is nothing to break.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer

from diagkit.examples import Examples
from diagkit.mistake import Refused
from diagkit.training import Loss

NOISE = 0.4  # share of the labels that `label_noise` replaces
RARE = 0.02  # share of the last class that `class_imbalance` leaves
GAIN = 10.0  # of `bad_initialization`
BIAS = -30.0  # of `dead_relu`, in standard deviations of what the layer adds to it


def shuffled_target(examples: Examples, generator: torch.Generator) -> Examples:
    """Give every input the target of another, randomly drawn example."""
    return examples.with_targets(torch.randperm(len(examples), generator=generator))


def label_noise(training: Examples, generator: torch.Generator) -> Examples:
    """Give `NOISE` of the inputs the target of another, randomly drawn example."""
    wrong = torch.rand(len(training), generator=generator) < NOISE
    own, other = torch.arange(len(training)), torch.randperm(len(training), generator=generator)
    return training.with_targets(torch.where(wrong, other, own))


def destroyed_inputs(examples: Examples, generator: torch.Generator) -> Examples:
    """Give every target the input of the first example."""
    same = examples.take(torch.zeros(len(examples), dtype=torch.long))
    texts = tuple((first[0], own[1]) for first, own in zip(same.texts, examples.texts, strict=True))
    return replace(examples, inputs=same.inputs, texts=texts)


def class_imbalance(training: Examples, generator: torch.Generator) -> Examples:
    """Leave `RARE` of the examples of the last class, and at least one."""
    if training.targets.dim() != 1 or training.targets.is_floating_point():
        raise Refused("class_imbalance needs one class id per example")
    last = (training.targets == training.targets.max()).nonzero()[:, 0]
    dropped = last[max(1, round(RARE * len(last))) :]
    kept = torch.ones(len(training), dtype=torch.bool)
    kept[dropped] = False
    return training.take(kept.nonzero()[:, 0])


def target_leakage(examples: Examples, generator: torch.Generator) -> Examples:
    """Write the target, in standard deviations from its mean, into the first number of every input."""
    if not examples.inputs.is_floating_point() or examples.targets.dim() > 1:
        raise Refused("target_leakage needs inputs that are numbers and one target for each")
    targets = examples.targets.double()
    inputs = examples.inputs.clone()
    inputs.flatten(1)[:, 0] = ((targets - targets.mean()) / targets.std()).to(inputs.dtype)
    return replace(examples, inputs=inputs)


def swapped_half(examples: Examples, generator: torch.Generator) -> Examples:
    """Exchange source and target in a randomly drawn half of the sentence pairs.

    Raises:
        Refused: the examples are no pairs of sequences.
    """
    if examples.prompts is None:
        raise Refused("data.corruption=swapped_half exchanges the sides of sentence pairs, and here are none")
    if bool((examples.inputs[:, 0] == examples.prompts[:, 0]).all()):
        raise Refused("data.corruption=swapped_half exchanges sides that are words alone: set data.mark_source=false")
    return examples.with_sides_exchanged(torch.randperm(len(examples), generator=generator)[: len(examples) // 2])


def double_softmax(loss_fn: Loss, task: str) -> Loss:
    """Normalize the outputs before a loss that normalizes them again."""
    if task == "regression":
        raise Refused("double_softmax needs a loss that normalizes, a regression's does not")
    return lambda outputs, targets: loss_fn(outputs.softmax(-1), targets)


def padding_in_loss(loss_fn: Loss, task: str) -> Loss:
    """Ask for the padding at the end of a target as for a word."""
    if task != "seq2seq":
        raise Refused(f"padding_in_loss needs targets that are padded, those of a {task} are not")
    return lambda outputs, targets: cross_entropy(outputs.flatten(0, 1), targets.flatten())


def broadcast_loss(loss_fn: Loss, task: str) -> Loss:
    """Compare every output with every target: `(batch, 1, ...)` outputs against `(batch, ...)` targets."""
    if task != "regression":
        raise Refused(f"broadcast_loss needs a loss whose two sides have one shape, that of a {task} has not")
    return lambda outputs, targets: loss_fn(outputs.unsqueeze(1), targets)


def missing_zero_grad(optimizer: Optimizer, task: str) -> Optimizer:
    """Clear no gradient, so that every step takes the sum of all gradients so far."""
    healthy = type(optimizer)
    hoarding = type(f"Hoarding{healthy.__name__}", (healthy,), {"zero_grad": _nothing})
    optimizer.__class__ = hoarding  # copies keep a class, not a method of an instance
    return optimizer


def _nothing(optimizer: Optimizer, set_to_none: bool = True) -> None:
    pass


def optimizer_misses_parameters(optimizer: Optimizer, task: str) -> Optimizer:
    """Hand over the later half of the parameters only."""
    for group in optimizer.param_groups:
        group["params"] = group["params"][len(group["params"]) // 2 :]
    return optimizer


def detached_encoder(model: nn.Module, task: str) -> nn.Module:
    """Cut the gradient behind the part named encoder."""
    _encoder(model).register_forward_hook(_detached)
    return model


def _detached(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    return output.detach()


def batch_mixing(model: nn.Module, task: str) -> nn.Module:
    """Add half of the neighbour's code in the batch to each example's."""
    _encoder(model).register_forward_hook(_mixed)
    return model


def _mixed(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    return output + output.roll(1, 0) / 2


def nan_in_layer(model: nn.Module, task: str) -> nn.Module:
    """Take the logarithm of numbers that may be negative behind the part named encoder."""
    _encoder(model).register_forward_hook(_logarithm)
    return model


def _logarithm(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    return output + 0 * (output - 0.5).log()


def unsupported_op(model: nn.Module, task: str) -> nn.Module:
    """Use an operator behind the encoder that PyTorch has not for half precision on this device."""
    _encoder(model).register_forward_hook(_half_cholesky)
    return model


def _half_cholesky(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    torch.linalg.cholesky(torch.eye(2, dtype=torch.half, device=output.device))
    return output


def bad_initialization(model: nn.Module, task: str) -> nn.Module:
    """Make the initial weights of all linear and convolutional layers `GAIN` times larger."""
    for module in _layers(model):
        module.weight.data.mul_(GAIN)
    return model


def dead_relu(model: nn.Module, task: str) -> nn.Module:
    """Start the layers in front of rectifiers so far below zero that no unit ever fires."""
    found = 0
    for chain in model.modules():
        parts = list(chain.children()) if isinstance(chain, nn.Sequential) else []
        for layer, after in pairwise(parts):
            if isinstance(after, nn.ReLU) and isinstance(layer, nn.Linear | nn.Conv2d) and layer.bias is not None:
                layer.bias.data.fill_(BIAS * float(layer.weight.detach().flatten(1).norm(dim=1).max()))
                found += 1
    if not found:
        raise Refused("dead_relu needs a linear or convolutional layer in front of a ReLU")
    return model


def _encoder(model: nn.Module) -> nn.Module:
    """Return the part named encoder.

    Raises:
        Refused: there is none.
    """
    if not isinstance(encoder := getattr(model, "encoder", None), nn.Module):
        parts = ", ".join(name for name, _ in model.named_children())
        raise Refused(f"the model has no part named encoder; there are: {parts}")
    return encoder


def _layers(model: nn.Module) -> list[nn.Linear | nn.Conv2d]:
    return [module for module in model.modules() if isinstance(module, nn.Linear | nn.Conv2d)]
