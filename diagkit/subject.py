"""The subject of an examination: everything a probe may ask for, by the name of its parameter.

A recipe's run fills it from its config, so that a probe neither knows nor cares where the objects come from.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.evidence import History
from diagkit.examples import Batches

Evaluate = Callable[[nn.Module, Batches], dict[str, float]]


@dataclass(frozen=True)
class Subject:
    """What is known of one training; None where something is not given."""

    model: nn.Module  # as built, before the first step
    train: Batches
    val: Batches
    test: Batches
    loss_fn: Callable[[Tensor, Tensor], Tensor]
    optimizer: torch.optim.Optimizer  # over the parameters of `model`
    task: str  # classification, binary, regression, seq2seq or language_model
    trained_model: nn.Module | None = None
    history: History | None = None
    evaluate: Evaluate | None = None
    pairs: tuple[tuple[str, str], ...] | None = None  # the training examples as text


class NotGiven(Exception):  # noqa: N818 - it reads as the reason it is
    """A probe asks for something this subject does not have."""


def ask(probe: Callable[..., Any], subject: Subject) -> Any:
    """Call a probe with the parts of the subject that its parameters name.

    Raises:
        NotGiven: the subject lacks one that has no default.
    """
    known = {field.name: getattr(subject, field.name) for field in fields(subject)}
    arguments = {}
    for name, parameter in inspect.signature(probe).parameters.items():
        if name in known and known[name] is not None:
            arguments[name] = known[name]
        elif parameter.default is inspect.Parameter.empty:
            raise NotGiven(f"{name} is not given")
    return probe(**arguments)
