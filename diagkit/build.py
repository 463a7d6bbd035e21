"""From a config to live objects: data, model, loss, optimizer, schedule."""

import fnmatch
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler

from diagkit import sabotage
from diagkit.examples import Examples, Splits
from diagkit.mistake import DoesNotApply, Mistake, nearest
from diagkit.training import Loss, rate_schedule

Settings = Mapping[str, Any]


def seed_everything(seed: int) -> None:
    """Seed every generator that a stage may draw from."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def call(section: Settings, *positional: Any, without: tuple[str, ...] = ()) -> Any:
    """Call the function that a section names in `_target_` with the section's other settings."""
    return target(section, without)(*positional)


def target(section: Settings, without: tuple[str, ...] = ()) -> partial[Any]:
    """Return the function that a section names in `_target_`, its other settings filled in.

    Args:
        without: settings that are not the function's own.

    Raises:
        Mistake: no such function can be imported.
    """
    module, _, name = section["_target_"].rpartition(".")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Mistake(f"_target_: {section['_target_']} must name an importable function: {error}") from error
    return partial(function, **{key: value for key, value in section.items() if key not in ("_target_", *without)})


def splits(config: Settings) -> Splits:
    """Load the data, and corrupt training and validation examples where the config says so.

    Raises:
        DoesNotApply: the corruption changed nothing.
    """
    loaded: Splits = call(config["data"], without=("corruption",))
    name = config["data"].get("corruption")
    if name is None:
        return loaded
    corrupt = getattr(sabotage, name, None)
    if corrupt is None:
        choices = [
            key for key, value in vars(sabotage).items() if getattr(value, "__module__", "") == sabotage.__name__
        ]
        raise Mistake(f"data.corruption={name} is not a function of sabotage.py: {nearest(name, choices)}")
    generator = torch.Generator().manual_seed(0)
    train, val = corrupt(loaded.train, generator), corrupt(loaded.val, generator)
    if _same(train, loaded.train):
        raise DoesNotApply(f"data.corruption={name} changed no training example, so nothing is broken")
    return replace(loaded, train=train, val=val)


def _same(one: Examples, other: Examples) -> bool:
    return torch.equal(one.inputs, other.inputs) and torch.equal(one.targets, other.targets)


def contaminated(data: Splits, share: float) -> Examples:
    """Return the test set with its first `share` replaced by training examples.

    Raises:
        DoesNotApply: the share is too small to replace a single example.
    """
    count = round(share * len(data.test))
    if share and not count:
        raise DoesNotApply(f"evaluation.test_overlap={share} of {len(data.test)} test examples is none; raise it")
    generator = torch.Generator().manual_seed(0)
    seen = data.train.take(torch.randperm(len(data.train), generator=generator).repeat(count)[:count])
    return seen.followed_by(data.test.take(torch.arange(count, len(data.test))))


def model(config: Settings, data: Splits) -> nn.Module:
    """Build the model and freeze the parameters that match `model.freeze`.

    Raises:
        DoesNotApply: a pattern matches no parameter.
    """
    built: nn.Module = call(config["model"], data, without=("freeze",))
    names = [name for name, _ in built.named_parameters()]
    for pattern in config["model"].get("freeze", ()):
        matches = fnmatch.filter(names, pattern)
        if not matches:
            parts = ", ".join(f"{part}.*" for part in dict.fromkeys(name.partition(".")[0] for name in names))
            raise DoesNotApply(f"model.freeze: no parameter matches {pattern!r}; there are: {parts}")
        for name in matches:
            built.get_parameter(name).requires_grad_(False)
    return built.to(config["runtime"]["device"])


def loss(config: Settings) -> Loss:
    """Return the loss function, `(outputs, targets) -> scalar`."""
    return target(config["loss"])


def optimizer(config: Settings, built: nn.Module) -> torch.optim.Optimizer:
    """Build the optimizer over all parameters."""
    made: torch.optim.Optimizer = call(config["optimizer"], built.parameters())
    return made


def schedule(config: Settings, made: torch.optim.Optimizer) -> LRScheduler:
    """Build the learning rate schedule."""
    its = config["schedule"]
    return rate_schedule(
        made, warmup=its["warmup"], decay=its["decay"], floor=its["floor"], steps=config["training"]["steps"]
    )
