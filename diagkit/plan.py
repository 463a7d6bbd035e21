"""From experiments to runs: controls added, seeds expanded, duplicates removed, shared trainings put in a row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from diagkit.compose import Experiment
from diagkit.stages import Keys, data_version, keys


@dataclass(frozen=True)
class Run:
    """One config at one seed."""

    label: str  # e.g. "translation frozen_encoder seed=0"
    config: Mapping[str, Any]
    seed: int
    keys: Keys
    deep: bool = False  # whether probes that take long are asked too
    data: str | None = None  # hash of the data file, if any


@dataclass(frozen=True)
class Pair:
    """A broken run and its control at one seed; for a control both are the same."""

    experiment: Experiment
    broken: Run
    control: Run


Chain = tuple[Run, ...]  # runs that share one training, to be executed one after the other


def pairs(experiments: Iterable[Experiment], seeds: Iterable[int], deep: bool = False) -> list[Pair]:
    """Pair every experiment with its control, seed by seed."""
    result = []
    seeds = list(dict.fromkeys(seeds))
    for experiment in experiments:
        for seed in seeds:
            control = _run(f"{experiment.baseline} control seed={seed}", experiment.control, seed, deep)
            label = f"{experiment.baseline} {experiment.name} seed={seed}"
            broken = _run(label, experiment.config, seed, deep) if experiment.story else control
            result.append(Pair(experiment, broken, control))
    return result


def _run(label: str, config: Mapping[str, Any], seed: int, deep: bool) -> Run:
    return Run(label, config, seed, keys(config, seed, deep), deep, data_version(config))


def chains(planned: Iterable[Pair]) -> list[Chain]:
    """Return every distinct run once, those with one training together, the longest chain first.

    The rest follows in order of their training budget, since a long run that starts last leaves cores idle.
    """
    runs = {run.keys.probe: run for pair in planned for run in (pair.control, pair.broken)}
    by_training: dict[str, list[Run]] = {}
    for run in runs.values():
        by_training.setdefault(run.keys.train, []).append(run)
    return sorted((tuple(chain) for chain in by_training.values()), key=_work, reverse=True)


def _work(chain: Chain) -> tuple[int, int]:
    return chain[0].config["training"]["steps"], len(chain)
