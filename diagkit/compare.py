"""Broken runs beside their controls, seed by seed: one row per breakage and recipe, and one per run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from diagkit.compose import Experiment, Refusal
from diagkit.diagnosis import Diagnosis, diagnose_findings
from diagkit.evidence import from_plain
from diagkit.evidence.training import History, Scores
from diagkit.finding import Verdict
from diagkit.judge import findings
from diagkit.plan import Pair, Run
from diagkit.runner import Outcome
from diagkit.score import METRICS

RESAMPLES = 1000  # of the bootstrap; its interval then moves by about 3 % of its width (convention)
LEVEL = 0.95


@dataclass(frozen=True)
class Result:
    """A run that left evidence, judged."""

    run: Run
    history: History
    scores: Scores
    diagnosis: Diagnosis
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """Broken minus control."""

    mean: float
    low: float  # of the 95 % interval; NaN where there is none
    high: float
    over: str  # what the interval covers: "seeds" or "test examples"


@dataclass(frozen=True)
class Comparison:
    """All seeds of one experiment.

    Attributes:
        pairs: (broken, control), one per seed that has both; for a control both are the same.
        difference: of the score; None for a control, or without a pair.
        broken_promises: what was promised and did not happen; empty when the promise held.
        outcomes: how the runs ended that have no evidence.
    """

    experiment: Experiment
    pairs: tuple[tuple[Result, Result], ...]
    difference: Difference | None
    broken_promises: tuple[str, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def kept(self) -> bool:
        """Whether the promise held on every seed."""
        return not self.broken_promises and not self.outcomes

    @property
    def one_training(self) -> bool:
        """Whether control and broken run share their training, so that only the evaluation differs."""
        return all(broken.run.keys.train == control.run.keys.train for broken, control in self.pairs)

    def fired(self) -> dict[str, int]:
        """Return how many seeds each failed check failed on."""
        fired: dict[str, int] = {}
        for broken, _ in self.pairs:
            for name in broken.diagnosis.failed():
                fired[name] = fired.get(name, 0) + 1
        return fired

    def causes(self) -> list[str]:
        """Return the faults that were named, first causes first."""
        return list(dict.fromkeys(cause for broken, _ in self.pairs for cause in broken.diagnosis.causes))


def result(run: Run, evidence: Mapping[str, Any], thresholds: Mapping[str, Any]) -> Result:
    """Judge the stored evidence of a run."""
    return Result(
        run,
        from_plain("history", evidence["history"]),
        from_plain("scores", evidence["scores"]),
        diagnose_findings(findings(evidence, thresholds)),
        tuple(evidence["notes"]),
    )


def compare(
    experiment: Experiment, pairs: Sequence[Pair], evidence: Mapping[str, Any], ends: Mapping[str, Outcome]
) -> Comparison:
    """Compare one experiment's runs with their controls.

    Args:
        pairs: of this experiment, one per seed.
        evidence: plain evidence of every usable run, by its probe key.
        ends: how every run ended, by its probe key.
    """
    results = []
    lost: dict[str, Outcome] = {}
    for pair in pairs:
        both = (pair.broken, pair.control)
        missing = {run.keys.probe: ends[run.keys.probe] for run in both if not ends[run.keys.probe].usable}
        lost |= missing
        if not missing:
            broken, control = (result(run, evidence[run.keys.probe], experiment.recipe["checks"]) for run in both)
            results.append((broken, control))
    difference = _difference(results) if experiment.story and results else None
    promises = tuple(line for broken, _ in results for line in _broken_promises(experiment, broken))
    return Comparison(experiment, tuple(results), difference, tuple(dict.fromkeys(promises)), tuple(lost.values()))


def _broken_promises(experiment: Experiment, broken: Result) -> list[str]:
    """Say which promised checks did not fail, and which failed unasked.

    A promised check that had to be skipped on this recipe does not count, as long as another one failed.
    """
    failed, expect = set(broken.diagnosis.failed()), experiment.expect
    skipped = (
        {f.check for f in broken.diagnosis.findings if f.verdict is Verdict.SKIP}
        if failed & set(expect.fail)
        else set()
    )
    silent = expect.silent if experiment.story else tuple(failed - set(expect.fail))
    where = f"(seed {broken.run.seed})"
    lines = [f"{name} should fail and did not {where}" for name in expect.fail if name not in failed | skipped]
    return lines + [f"{name} should stay silent and failed {where}" for name in silent if name in failed]


def _difference(results: Sequence[tuple[Result, Result]]) -> Difference:
    """Return the paired difference of the score, with an interval over seeds, or with one seed over test examples."""
    if len(results) > 1:
        return over_seeds([broken.scores.value - control.scores.value for broken, control in results])
    (broken, control), *_ = results
    return over_examples(broken.scores, control.scores)


def over_seeds(values: Sequence[float]) -> Difference:
    """Return the mean and Student's interval of paired differences, at least two.

    Source: Student (1908), the probable error of a mean.
    """
    from scipy.special import stdtrit  # a fifth of a second, for several seeds only

    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = float(stdtrit(len(values) - 1, (1 + LEVEL) / 2)) * error
    return Difference(mean, mean - half, mean + half, "seeds")


def over_examples(broken: Scores, control: Scores) -> Difference:
    """Return the difference of two scores with a bootstrap interval over the test examples.

    Rows are drawn in pairs where both runs have the same test set, and separately where it differs. The interval
    says nothing about another training.

    Source: Efron (1979); for BLEU, Koehn (2004), statistical significance tests for machine translation evaluation.
    """
    metric = METRICS[control.metric]
    mine, its = np.array(broken.statistics), np.array(control.statistics)
    rng = np.random.default_rng(0)
    same = broken.inputs == control.inputs

    def draw(rows: int) -> NDArray[np.int64]:
        return rng.integers(rows, size=rows)

    differences = []
    for _ in range(RESAMPLES):
        first = draw(len(mine))
        second = first if same else draw(len(its))
        differences.append(metric(mine[first]) - metric(its[second]))
    low, high = np.quantile(differences, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Difference(metric(mine) - metric(its), float(low), float(high), "test examples")


def frame(comparisons: Sequence[Comparison], refusals: Sequence[Refusal] = ()) -> pd.DataFrame:
    """Return one row per breakage and recipe."""
    rows = [_row(comparison) for comparison in comparisons]
    rows += [
        {
            "recipe": refusal.baseline,
            "breakage": refusal.name,
            "variable": "",
            "promise": f"does not apply: {refusal.reason}",
        }
        for refusal in refusals
    ]
    return pd.DataFrame(rows)


def _row(comparison: Comparison) -> dict[str, Any]:
    experiment, difference = comparison.experiment, comparison.difference
    broken = [pair[0] for pair in comparison.pairs]
    control = [pair[1] for pair in comparison.pairs]
    return {
        "recipe": experiment.baseline,
        "breakage": experiment.name,
        "variable": "; ".join(map(str, experiment.changes)),
        "confounded": experiment.confounded,
        "seeds": len(comparison.pairs),
        "metric": broken[0].scores.metric if broken else "",
        "control": _mean([r.scores.value for r in control]),
        "broken": _mean([r.scores.value for r in broken]),
        "difference": difference.mean if difference else math.nan,
        "low": difference.low if difference else math.nan,
        "high": difference.high if difference else math.nan,
        "interval_over": difference.over if difference else "",
        "control_val_loss": _mean([r.scores.val_loss for r in control]),
        "broken_val_loss": _mean([r.scores.val_loss for r in broken]),
        "fired": ", ".join(comparison.fired()),
        "causes": ", ".join(comparison.causes()),
        "promise": promise(comparison),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def promise(comparison: Comparison) -> str:
    """Say in a few words whether what was promised happened."""
    if comparison.outcomes:
        return "; ".join(dict.fromkeys(f"{outcome.status}: {outcome.reason}" for outcome in comparison.outcomes))
    return "kept" if comparison.kept else "; ".join(comparison.broken_promises)


def runs_frame(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return one row per run with every number: scores, losses, and each check's verdict, value and threshold."""
    rows: dict[str, dict[str, Any]] = {}
    for comparison in comparisons:
        for broken, control in comparison.pairs:
            for its, name in ((control, "control"), (broken, comparison.experiment.name)):
                rows.setdefault(its.run.keys.probe + name, _run_row(its, comparison.experiment, name))
        for outcome in comparison.outcomes:
            rows[outcome.run.label] = {
                "run": outcome.run.label,
                "seed": outcome.run.seed,
                "status": outcome.status,
                "reason": outcome.reason,
            }
    return pd.DataFrame(rows.values())


def _run_row(its: Result, experiment: Experiment, name: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "recipe": experiment.baseline,
        "breakage": name,
        "seed": its.run.seed,
        "status": "done",
        "metric": its.scores.metric,
        "score": its.scores.value,
        **its.scores.extra,
        "train_loss": its.history.final_loss(),
        "early_loss": its.history.early_loss(),
        "val_loss": its.scores.val_loss,
        "steps": len(its.history.losses),
        "causes": " ".join(its.diagnosis.causes),
    }
    for finding in its.diagnosis.findings:
        row[finding.check] = finding.verdict.value
        row[f"{finding.check} value"] = finding.value
        row[f"{finding.check} threshold"] = finding.threshold
    return row
