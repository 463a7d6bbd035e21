"""From a config to live objects: data, model, loss, optimizer, schedule."""

import copy
import fnmatch
import inspect
import random
from collections.abc import Callable, Collection, Iterable, Mapping
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
from diagkit.mistake import Mistake, Refused, nearest
from diagkit.training import Loss, rate_schedule

Settings = Mapping[str, Any]
DATA, PARTS = ("examples", "training"), ("model", "loss_fn", "optimizer")  # what a sabotage may break


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
    """Load the data, and corrupt the examples where the config says so.

    Raises:
        Refused: the corruption changed nothing.
    """
    loaded: Splits = call(config["data"], without=("corruption",))
    name = config["data"].get("corruption")
    if name is None:
        return loaded
    corrupt = _sabotage("data.corruption", name, DATA)
    generator = torch.Generator().manual_seed(0)
    train = corrupt(loaded.train, generator)
    val = corrupt(loaded.val, generator) if _breaks(corrupt) == "examples" else loaded.val
    if _same(train, loaded.train):
        raise Refused(f"data.corruption={name} changed no training example, so nothing is broken")
    return replace(loaded, train=train, val=val)


def _same(one: Examples, other: Examples) -> bool:
    return torch.equal(one.inputs, other.inputs) and torch.equal(one.targets, other.targets)


def contaminated(data: Splits, share: float) -> Examples:
    """Return the test set with its first `share` replaced by training examples.

    Raises:
        Refused: the share is too small to replace a single example.
    """
    count = round(share * len(data.test))
    if share and not count:
        raise Refused(f"evaluation.test_overlap={share} of {len(data.test)} test examples is none; raise it")
    generator = torch.Generator().manual_seed(0)
    seen = data.train.take(torch.randperm(len(data.train), generator=generator).repeat(count)[:count])
    return seen.followed_by(data.test.take(torch.arange(count, len(data.test))))


def model(config: Settings, data: Splits) -> nn.Module:
    """Build the model and freeze the parameters that match `model.freeze`.

    Raises:
        Refused: a pattern matches no parameter.
    """
    built: nn.Module = call(config["model"], data, without=("freeze",))
    names = [name for name, _ in built.named_parameters()]
    for name in matching(config["model"].get("freeze", ()), names, "model.freeze"):
        built.get_parameter(name).requires_grad_(False)
    sabotaged: nn.Module = _sabotaged(config, "model", built)
    return sabotaged.to(config["runtime"]["device"])


def loaded(config: Settings, untrained: nn.Module, trained: nn.Module) -> nn.Module:
    """Return the model that is scored: the trained weights, but for those that match `evaluation.not_loaded`.

    Raises:
        Refused: a pattern matches no parameter.
    """
    names = [name for name, _ in trained.named_parameters()]
    left_out = matching(config["evaluation"]["not_loaded"], names, "evaluation.not_loaded")
    if not left_out:
        return trained
    model = copy.deepcopy(untrained)
    model.load_state_dict({k: v for k, v in trained.state_dict().items() if k not in left_out}, strict=False)
    return model


def matching(patterns: Iterable[str], names: Iterable[str], setting: str) -> list[str]:
    """Return the parameter names that match one of some patterns.

    Raises:
        Refused: a pattern matches no parameter.
    """
    names = list(names)
    found: dict[str, None] = {}
    for pattern in patterns:
        matches = fnmatch.filter(names, pattern)
        if not matches:
            parts = ", ".join(f"{part}.*" for part in dict.fromkeys(name.partition(".")[0] for name in names))
            raise Refused(f"{setting}: no parameter matches {pattern!r}; there are: {parts}")
        found |= dict.fromkeys(matches)
    return list(found)


def _sabotage(setting: str, name: str, parts: Collection[str]) -> Callable[..., Any]:
    """Return the function of `sabotage.py` that a setting names; its first parameter says what it breaks.

    Raises:
        Mistake: there is none for these parts.
    """
    known = {key: value for key, value in vars(sabotage).items() if inspect.isfunction(value) and key[0] != "_"}
    fitting = [key for key, value in known.items() if _breaks(value) in parts]
    if name not in fitting:
        raise Mistake(f"{setting}={name} is not such a function of sabotage.py: {nearest(name, fitting)}")
    return known[name]


def _breaks(function: Callable[..., Any]) -> str:
    return next(iter(inspect.signature(function).parameters))


def _sabotaged(config: Settings, part: str, whole: Any) -> Any:
    """Break a part of the training where the config names a sabotage of that part.

    Raises:
        Refused: it finds nothing to break.
    """
    if config["sabotage"] is None:
        return whole
    function = _sabotage("sabotage", config["sabotage"], PARTS)
    return function(whole, config["task"]) if _breaks(function) == part else whole


def loss(config: Settings) -> Loss:
    """Return the loss function, `(outputs, targets) -> scalar`."""
    healthy: Loss = _sabotaged(config, "loss_fn", target(config["loss"]))
    return healthy


def optimizer(config: Settings, built: nn.Module) -> torch.optim.Optimizer:
    """Build the optimizer over all parameters."""
    made: torch.optim.Optimizer = _sabotaged(config, "optimizer", call(config["optimizer"], built.parameters()))
    return made


def schedule(config: Settings, made: torch.optim.Optimizer) -> LRScheduler:
    """Build the learning rate schedule."""
    its = config["schedule"]
    return rate_schedule(
        made, warmup=its["warmup"], decay=its["decay"], floor=its["floor"], steps=config["training"]["steps"]
    )
