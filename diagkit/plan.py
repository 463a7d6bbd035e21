"""From experiments to runs: controls added, seeds expanded, duplicates removed, shared trainings put in a row."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diagkit.compose import Experiment
from diagkit.judge import checks
from diagkit.mistake import Mistake, nearest
from diagkit.probes import probe_names
from diagkit.stages import Keys, data_version, keys


@dataclass(frozen=True)
class Run:
    """One config at one seed."""

    label: str  # e.g. "translation frozen_encoder seed=0"
    config: Mapping[str, Any]
    seed: int
    keys: Keys
    probes: tuple[str, ...]  # that are asked
    data: str | None = None  # hash of the data file, if any


@dataclass(frozen=True)
class Pair:
    """A broken run and its control at one seed; for a control both are the same."""

    experiment: Experiment
    broken: Run
    control: Run


Chain = tuple[Run, ...]  # runs that share one training, to be executed one after the other


def pairs(experiments: Sequence[Experiment], seeds: Iterable[int], deep: bool = False) -> list[Pair]:
    """Pair every experiment with its control, seed by seed.

    All runs are asked the same probes: the quick ones, or all if `deep`, and those that a breakage's promise needs.
    """
    probes = _probes(experiments, deep)
    result = []
    seeds = list(dict.fromkeys(seeds))
    for experiment in experiments:
        for seed in seeds:
            control = _run(f"{experiment.baseline} control seed={seed}", experiment.control, seed, probes)
            label = f"{experiment.baseline} {experiment.name} seed={seed}"
            broken = _run(label, experiment.config, seed, probes) if experiment.story else control
            result.append(Pair(experiment, broken, control))
    return result


def _probes(experiments: Iterable[Experiment], deep: bool) -> tuple[str, ...]:
    promised = {name for experiment in experiments for check in experiment.expect.fail for name in _evidence(check)}
    quick = probe_names(deep)
    return tuple(name for name in probe_names() if name in promised or name in quick)


def _evidence(check: str) -> tuple[str, ...]:
    if check not in checks():
        raise Mistake(f"expect.fail names {check}, which is not a check: {nearest(check, checks())}")
    return checks()[check].evidence


def _run(label: str, config: Mapping[str, Any], seed: int, probes: tuple[str, ...]) -> Run:
    return Run(label, config, seed, keys(config, seed), probes, data_version(config))


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
