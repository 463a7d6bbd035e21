"""`diagnose`: probes and checks on anyone's PyTorch objects."""

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, output, sample, split
from diagkit.diagnosis import Diagnosis, accepted, diagnose_findings
from diagkit.evidence import merged, to_plain
from diagkit.evidence.environment import TrainingRun
from diagkit.evidence.training import Scores
from diagkit.guard import evaluating, generators
from diagkit.judge import Check, checks, findings
from diagkit.measure import measure, needs
from diagkit.mistake import Mistake, nearest
from diagkit.probes import probe_names
from diagkit.rehearsal import Budget, rehearse
from diagkit.story import QUESTIONS
from diagkit.subject import Evaluate, Subject, TrainStep
from diagkit.task import TASKS, guess

SECONDS = 20.0  # of training, unless a budget is given
TRAINED = {"trained_model", "history", "scores", "training_run"}  # what a probe or check asks for that needs a training


def diagnose(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    val: Iterable[Any] | None = None,
    test: Iterable[Any] | None = None,
    epochs: int = 1,
    task: str | None = None,
    scheduler: Any = None,
    scheduler_interval: str = "epoch",
    train_step: TrainStep | None = None,
    evaluate: Evaluate | None = None,
    predict: Predict | None = None,
    pipeline: Callable[[Any, Any], Any] | None = None,
    expected_frozen: Sequence[str] = (),
    baseline: Diagnosis | str | Path | None = None,
    budget: float | int | None = None,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
) -> Diagnosis:
    """Examine a training and name its faults.

    Cheap questions come first; then a copy is trained within the budget for those that need a trained model. All that
    is given is left exactly as it was.

    Args:
        model: as built, before its first step.
        train: loader or list of batches; a batch is `(input, target)` or `{"input": ..., "target": ...}`.
        loss_fn: `(outputs, targets) -> scalar`.
        optimizer: as it would be used.
        epochs: passes over `train` that the training is meant to take.
        task: one of `diagkit.task.TASKS`; guessed from loss and targets without.
        scheduler_interval: `step` or `epoch`, when the scheduler is stepped.
        train_step: `(model, batch, loss_fn, optimizer) -> loss`, for a step of your own.
        evaluate: `(model, batches) -> {name: figure}`, your own evaluation.
        predict: `(model, input) -> outputs` that go into `loss_fn`, for a model that is called in its own way; one that
        cuts the gradient is taken for inference alone, and the model itself is trained.
        pipeline: `(stages, X, y, cut)` for the leak tracer: the preprocessing as a callable `X, y -> (X, y)` or a
        list of them, the raw data, and the first row that training must not know.
        expected_frozen: patterns of names of parameters that are meant not to learn.
        baseline: a diagnosis of a known healthy run, or the path of a saved one; what fails there too is accepted.
        budget: seconds of training (a float) or optimizer steps (an int).
        only: checks or questions to ask, the others are left out.
        skip: checks or questions to leave out.

    Raises:
        Mistake: an argument cannot be used; its text says what was needed.
    """
    chosen = _chosen(only, skip)
    _require(task is None or task in TASKS, f"task must be one of {', '.join(TASKS)}, got {task!r}")
    _require(
        scheduler_interval in ("step", "epoch"), f"scheduler_interval is step or epoch, got {scheduler_interval!r}"
    )
    with generators(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaders = [_readable(loader) for loader in (train, val, test)]
        samples = [None if loader is None else sample(loader) for loader in loaders]
        _require(bool(samples[0]), "train must hold at least one batch, got none")
        loaders = [loader if its else None for loader, its in zip(loaders, samples, strict=True)]
        samples = [its or None for its in samples]
        model = getattr(model, "_orig_mod", model)  # of torch.compile: probes would compile every question anew
        subject = Subject(
            model=model,
            train=samples[0] or [],
            val=samples[1],
            test=samples[2],
            loss_fn=loss_fn,
            optimizer=optimizer,
            task=task or "regression",
            epochs=epochs,
            train_loader=loaders[0],
            val_loader=loaders[1],
            test_loader=loaders[2],
            scheduler=scheduler,
            scheduler_interval=scheduler_interval,
            train_step=train_step,
            evaluate=evaluate,
            predict=predict,
            pipeline=pipeline,
            expected_frozen=expected_frozen,
        )
        subject = replace(subject, predict=_differentiable(subject))
        evidence = _examine(subject, chosen, task, _budget(budget))
    return diagnose_findings(findings(evidence, only=chosen), accepted(baseline))


def _examine(subject: Subject, chosen: Sequence[Check], task: str | None, budget: Budget) -> dict[str, Any]:
    """Measure what the chosen checks need: first what needs no training, then the rest on a trained copy."""
    if task is None:
        subject = replace(subject, task=_guess(subject))
    names = dict.fromkeys(name for check in chosen for name in check.evidence)
    probes = [name for name in probe_names() if name in names]
    late = [name for name in probes if TRAINED & needs(name)]
    evidence = measure(subject, [name for name in probes if name not in late])
    if not late and not TRAINED & set(names):
        return evidence
    try:
        trained, history = rehearse(subject, budget)
    except Exception as error:  # anyone's model, loss and step
        raised = f"{type(error).__name__}: {error}"
        missing = dict.fromkeys([*late, *TRAINED], f"the training raised {raised}")
        run = to_plain(TrainingRun(0, raised))
        return evidence | {"training_run": run, "missing": evidence["missing"] | missing}
    val_loss = history.val_losses[-1] if history.val_losses else None
    scores = None if val_loss is None else Scores("loss", val_loss, val_loss, {}, "", [], [], [], [])
    later = measure(replace(subject, trained_model=trained, history=history, scores=scores), late)
    return merged(evidence, later) | {"task": subject.task}


def _differentiable(subject: Subject) -> Predict | None:
    """Return `predict`, or None where it is made for inference alone and the model itself is what is trained."""
    if subject.predict is None:
        return None
    try:
        inputs, targets = split(next(iter(subject.train)))
        model = copy.deepcopy(subject.model)
        trained = subject.loss_fn(call(model, inputs, None), copy.deepcopy(targets))
        asked = subject.loss_fn(call(model, inputs, subject.predict), copy.deepcopy(targets))
    except Exception:  # then the model cannot be called without it
        return subject.predict
    return None if trained.requires_grad and not asked.requires_grad else subject.predict


def _guess(subject: Subject) -> str:
    try:
        inputs, targets = split(next(iter(subject.train)))
        with evaluating(subject.model):
            return guess(inputs, output(call(subject.model, inputs, subject.predict)), targets, subject.loss_fn)
    except Exception:  # the model does not run: the checks say so
        return "regression"


def _readable(loader: Iterable[Any] | None) -> Iterable[Any] | None:
    """Return a copy that can be read without a trace in the original; what reads only once becomes a list."""
    if loader is None or isinstance(loader, list):
        return copy.deepcopy(loader)
    if isinstance(loader, Iterator):  # iter() itself would draw from a loader's generator
        return sample(loader)
    try:
        return copy.deepcopy(loader)
    except Exception:  # open files, locks: then the original is read
        return loader


def _budget(budget: float | int | None) -> Budget:
    if budget is None:
        return Budget(SECONDS)
    _require(budget > 0, f"budget must be positive: seconds as a float or steps as an int, got {budget}")
    return Budget(float("inf"), budget) if isinstance(budget, int) else Budget(budget)


def _chosen(only: Sequence[str], skip: Sequence[str]) -> list[Check]:
    names = [*checks(), *QUESTIONS]
    for name in (*only, *skip):
        _require(name in names, f"there is no check or question {name!r}: {nearest(name, names)}")
    return [
        check
        for check in checks().values()
        if (not only or {check.name, check.question} & set(only)) and not {check.name, check.question} & set(skip)
    ]


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise Mistake(text)
