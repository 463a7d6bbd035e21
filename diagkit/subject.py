"""The subject of an examination: everything a probe may ask for, by the name of its parameter.

A recipe's run fills it from its config, `diagnose` from anyone's objects; a probe neither knows nor cares.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict
from diagkit.evidence.training import History, Scores

Evaluate = Callable[[nn.Module, Any], dict[str, float]]
TrainStep = Callable[[nn.Module, Any, Loss, torch.optim.Optimizer], float]


@dataclass(frozen=True)
class Subject:
    """What is known of one training; None where something is not given.

    A probe may read all of it and must leave it as it found it (`diagkit.guard`); one that trains copies first.

    Attributes:
        model: as built, before the first step.
        train: training batches, the same at every reading; so are `val` and `test`.
        optimizer: over the parameters of `model`.
        task: classification, binary, regression, seq2seq or language_model.
        trained_model: a copy of `model`, trained.
        evaluated_model: what was scored; it should be the trained one.
        train_loader: what the training really reads, in its own order; so are `val_loader` and `test_loader`.
        expected_frozen: patterns of the names of parameters that are meant not to learn.
        pipeline: what made the examples of raw rows, `(stages, X, y, cut)` as the leak tracer takes it.
        pairs: the training examples as text, source and target; `val_pairs` those of validation.
        scores: the evaluation of the trained model.
    """

    model: nn.Module
    train: Iterable[Any]
    loss_fn: Loss
    optimizer: torch.optim.Optimizer
    task: str
    val: Iterable[Any] | None = None
    test: Iterable[Any] | None = None
    epochs: int | None = None
    trained_model: nn.Module | None = None
    evaluated_model: nn.Module | None = None
    history: History | None = None
    scores: Scores | None = None
    train_loader: Iterable[Any] | None = None
    val_loader: Iterable[Any] | None = None
    test_loader: Iterable[Any] | None = None
    scheduler: Any = None
    scheduler_interval: str = "epoch"
    train_step: TrainStep | None = None
    evaluate: Evaluate | None = None
    predict: Predict | None = None
    pipeline: Any = None
    expected_frozen: Sequence[str] = ()
    pairs: tuple[tuple[str, str], ...] | None = None
    val_pairs: tuple[tuple[str, str], ...] | None = None


class NotGiven(Exception):  # noqa: N818 - it reads as the reason it is
    """A probe asks for something this subject does not have, or cannot be asked of it."""


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
