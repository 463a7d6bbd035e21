"""From a subject to evidence: every probe that there is, or those that some checks need."""

import inspect
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from diagkit.batches import UnknownBatch
from diagkit.evidence import to_plain
from diagkit.evidence.environment import TrainingRun
from diagkit.probes import probe_names
from diagkit.subject import NotGiven, Subject, ask


def probe(name: str) -> Callable[..., Any]:
    """Return a probe by its name."""
    function: Callable[..., Any] = getattr(import_module(f"diagkit.probes.{name}"), name)
    return function


def needs(name: str) -> set[str]:
    """Return the parts of a subject that a probe may ask for."""
    return set(inspect.signature(probe(name)).parameters)


def measure(subject: Subject, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Run probes and return evidence as plain data.

    A probe that cannot be asked of this subject, or raises, costs its own evidence alone.

    Args:
        names: of the probes to run; all without.

    Returns:
        Plain evidence by name; under `missing` the reasons of probes that could not be asked, under `raised` the
        errors of those that failed.
    """
    evidence: dict[str, Any] = {}
    missing: dict[str, str] = {}
    raised: dict[str, str] = {}
    for name in probe_names() if names is None else names:
        try:
            evidence[name] = to_plain(ask(probe(name), subject))
        except (NotGiven, UnknownBatch) as reason:
            missing[name] = str(reason)
        except NotImplementedError as reason:  # complex numbers, half precision, tensors without values
            missing[name] = f"PyTorch cannot do this with such numbers: {reason}"
        except Exception as error:  # a probe meets any model there is
            raised[name] = f"{type(error).__name__}: {error}"
    run = None if subject.history is None else TrainingRun(len(subject.history.losses), "")
    known = {"history": subject.history, "scores": subject.scores, "training_run": run}
    evidence |= {name: to_plain(its) for name, its in known.items() if its is not None}
    return {**evidence, "missing": missing, "raised": raised}
