"""Two sets of runs side by side: what was changed, what differs, and whether the one can be said to make the other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from diagkit.compose import differences
from diagkit.mistake import Mistake
from diagkit.paired import MIN_FLIPPED, Difference, Sample, over_examples, over_seeds, unpaired
from diagkit.records import Record
from diagkit.score import ENDS
from diagkit.stages import PACKAGES
from diagkit.wording import sureness, verdict

CONFOUNDED, WITHIN_NOISE, UNINFORMATIVE, NONDETERMINISM = (
    "confounded_comparison",
    "within_noise",
    "uninformative_comparison",
    "nondeterminism",
)
PATH = "data.path"  # what a file holds counts, not where it lies
COUNTED = {name for names in PACKAGES.values() for name in names}


@dataclass(frozen=True)
class Group:
    """The runs of one setting, one per seed."""

    name: str
    runs: tuple[Record, ...]

    @property
    def seeds(self) -> list[int]:
        """The seeds, in their order."""
        return sorted(run.seed for run in self.runs)

    def at(self, seeds: Sequence[int]) -> list[Record]:
        """Return the runs of some seeds."""
        by_seed = {run.seed: run for run in self.runs}
        return [by_seed[seed] for seed in seeds]


@dataclass(frozen=True)
class Changed:
    """What is another in the second group than in the first, as lines of text."""

    config: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()  # follows from the config by interpolation; not counted
    data: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()  # that figures depend on
    other_packages: tuple[str, ...] = ()  # not counted
    environment: tuple[str, ...] = ()
    seed: tuple[str, ...] = ()  # where too few are given to tell their noise from a difference

    def variables(self) -> list[str]:
        """Return what was changed, each variable once; code and environment are one each."""
        groups = {"code": self.code, "packages": self.packages, "environment": self.environment}
        wholes = [f"{name} ({', '.join(lines)})" for name, lines in groups.items() if lines]
        return [*self.config, *self.data, *wholes, *self.seed]


@dataclass(frozen=True)
class Claim:
    """The second group compared with the first."""

    first: Group
    second: Group
    changed: Changed
    shared: tuple[int, ...]  # seeds that pair the runs; empty where they are separate
    difference: Difference  # of the score, second minus first

    @property
    def sides(self) -> tuple[list[Record], list[Record]]:
        """The runs that are compared."""
        first, second = (group.at(self.shared or group.seeds) for group in (self.first, self.second))
        return first, second

    def figures(self) -> dict[str, tuple[float, float, Difference | None]]:
        """Return both means and the difference of every figure that both groups have, the score first."""
        first, second = self.sides
        rows: dict[str, tuple[float, float, Difference | None]] = {
            first[0].metric: (_mean([r.score for r in first]), _mean([r.score for r in second]), self.difference)
        }
        for name in first[0].figures:
            if all(name in run.figures for run in (*first, *second)):
                its, other = ([run.figures[name] for run in runs] for runs in (first, second))
                rows[name] = (_mean(its), _mean(other), _over_runs(its, other, paired=bool(self.shared)))
        return rows

    @cached_property
    def faults(self) -> dict[str, str]:
        """What keeps the difference from supporting a claim: names of the fault vocabulary with their reasons."""
        variables = self.changed.variables()
        found = {}
        if len(variables) > 1:
            found[CONFOUNDED] = f"{len(variables)} things changed, so a difference cannot be given to any one of them"
        if not variables and self.shared and not self._same_figures():
            found[NONDETERMINISM] = "nothing was changed, and the same seeds give other results"
        elif reason := self._uninformative(variables):
            found[UNINFORMATIVE] = reason
        elif noise := self._noise():
            found[WITHIN_NOISE] = noise
        return found

    def _same_figures(self) -> bool:
        first, second = self.sides
        return all(
            _equal([a.score, *a.figures.values()], [b.score, *b.figures.values()]) and a.outputs == b.outputs
            for a, b in zip(first, second, strict=True)
        )

    def _uninformative(self, variables: Sequence[str]) -> str:
        """Say why these runs could not have shown a difference; nothing where they could."""
        first, second = self.sides
        scores, metric = [run.score for run in (*first, *second)], first[0].metric
        if not variables:
            same = "every figure is the same" if self.shared else "only the seeds differ"
            return f"nothing was changed, and {same}"
        if any(math.isnan(score) for score in scores):
            return f"{metric} is not a number"
        for end in ENDS.get(metric, ()):
            if np.allclose(scores, end, rtol=1e-9, atol=1e-9):
                return f"{metric} is {end:g} in every run, and it cannot go further"
        same_tests = self.shared and all(a.test_set == b.test_set for a, b in zip(first, second, strict=True))
        if same_tests and all(a.outputs == b.outputs for a, b in zip(first, second, strict=True)):
            return f"the outputs are the same for all {len(first[0].outputs)} test examples at every seed"
        return ""

    def _noise(self) -> str:
        """Say where the difference is smaller than what seeds or test examples do to it; nothing where it is not."""
        difference = self.difference
        if not difference.seen:
            return verdict(difference)
        if difference.examples and difference.examples[0] <= 0 <= difference.examples[1]:
            return f"{verdict(difference)} on these test examples, but others may show none"
        if self.shared and len(self.shared) < MIN_FLIPPED:
            signs = {np.sign(b.score - a.score) for a, b in zip(*self.sides, strict=True)}
            if {-1.0, 1.0} <= signs:
                return f"{verdict(difference)} on average, but its sign differs between {len(self.shared)} seeds"
        return ""


def claim(first: Group, second: Group) -> Claim:
    """Compare two groups, paired by seed where they share at least two, or one when there are no more.

    Raises:
        Mistake: their scores are not the same metric.
    """
    metrics = [group.runs[0].metric for group in (first, second)]
    if metrics[0] != metrics[1]:
        raise Mistake(
            f"{first.name} is measured in {metrics[0]} and {second.name} in {metrics[1]}: compare like with like"
        )
    shared = sorted(set(first.seeds) & set(second.seeds))
    separate = min(len(first.runs), len(second.runs)) > 1
    if len(shared) == 1 and separate:
        shared = []
    lone = not shared and not separate
    return Claim(first, second, _changed(first, second, lone), tuple(shared), _difference(first, second, shared))


def _difference(first: Group, second: Group, shared: Sequence[int]) -> Difference:
    its, other = (group.at(shared or group.seeds) for group in (first, second))
    examples = over_examples(_samples(other), _samples(its))
    seeds = _over_runs([run.score for run in its], [run.score for run in other], paired=bool(shared))
    return replace(seeds, examples=(examples.low, examples.high)) if seeds else examples


def _over_runs(first: Sequence[float], second: Sequence[float], paired: bool) -> Difference | None:
    """Return the difference over seeds; None where there are too few."""
    if min(len(first), len(second)) < 2:
        return None
    if paired:
        return over_seeds([b - a for a, b in zip(first, second, strict=True)], first)
    return unpaired(second, first)


def _samples(runs: Sequence[Record]) -> list[Sample]:
    return [Sample(run.metric, np.array(run.statistics), run.test_set) for run in runs]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _equal(first: Sequence[float], second: Sequence[float]) -> bool:
    return np.array_equal(first, second, equal_nan=True)


def _changed(first: Group, second: Group, lone: bool) -> Changed:
    """Return what differs between the groups; `lone` where single runs of other seeds are compared."""
    a, b = first.runs[0], second.runs[0]
    config = [change for change in differences(a.settings, b.settings) if change.leaf != PATH]
    counted = {PATH, *(change.leaf for change in config)}
    derived = [change for change in differences(a.resolved, b.resolved) if change.leaf not in counted]
    packages = [(change.leaf in COUNTED, str(change)) for change in differences(a.packages, b.packages)]
    return Changed(
        config=tuple(map(str, config)),
        derived=tuple(map(str, derived)),
        data=(f"data file: {a.resolved.get(PATH)} → {b.resolved.get(PATH)}",) if a.data != b.data else (),
        code=tuple(c.leaf for c in differences(a.code, b.code) if c.before and c.after and _ours(c.before)),
        packages=tuple(text for counts, text in packages if counts),
        other_packages=tuple(text for counts, text in packages if not counts),
        environment=tuple(map(str, differences(a.machine, b.machine))),
        seed=(f"seed: {first.seeds} → {second.seeds}",) if lone else (),
    )


def _ours(version: str) -> bool:
    """Whether a version is that of code, not of a package that is counted as such."""
    return version.partition(" ")[0] not in COUNTED


def sentence(its: Claim, adjusted: float = math.nan) -> str:
    """Return the verdict in one sentence.

    Args:
        adjusted: the p-value corrected for the other comparisons of the same command; NaN where there are none.
    """
    known = sureness(its.difference, adjusted, its.first.name)
    if its.faults:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in its.faults.items())
        return f"{reasons}." if UNINFORMATIVE in its.faults else f"{reasons} ({known})."
    metric = its.first.runs[0].metric
    unsure = "" if its.difference.examples else "; one seed says nothing about another training"
    return f"{its.second.name} is {verdict(its.difference)} than {its.first.name} in {metric}: {known}{unsure}."
