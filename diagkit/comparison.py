"""Broken runs beside their controls, seed by seed: one row per breakage and recipe, and one per run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from diagkit.compose import Experiment, Refusal
from diagkit.diagnosis import Diagnosis, diagnose_findings
from diagkit.evidence import from_plain, to_plain
from diagkit.evidence.environment import TrainingRun
from diagkit.evidence.training import History, Scores
from diagkit.finding import Verdict
from diagkit.judge import checks, findings
from diagkit.paired import Difference, Sample, holm, over_examples, over_seeds
from diagkit.plan import Pair, Run
from diagkit.runner import Outcome
from diagkit.story import Expect
from diagkit.wording import verdict


@dataclass(frozen=True)
class Result:
    """A run that left evidence, judged."""

    run: Run
    history: History
    scores: Scores
    diagnosis: Diagnosis
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """All seeds of one experiment.

    Attributes:
        pairs: (broken, control), one per seed that has both; for a control both are the same.
        difference: of the score; None for a control, or without a pair.
        broken_promises: what was promised and did not happen; empty when the promise held.
        outcomes: how the runs ended that have no evidence.
        crashes: outcomes of runs that raised what was promised.
    """

    experiment: Experiment
    pairs: tuple[tuple[Result, Result], ...]
    difference: Difference | None
    broken_promises: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    crashes: tuple[Outcome, ...] = ()

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
        named = [broken.diagnosis for broken, _ in self.pairs] + [_crash(outcome) for outcome in self.crashes]
        return list(dict.fromkeys(cause for diagnosis in named for cause in diagnosis.causes))


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
    raises = experiment.expect.raises
    crashes = tuple(o for o in lost.values() if raises and o.status == "raised" and raises in o.reason)
    others = tuple(outcome for outcome in lost.values() if outcome not in crashes)
    promises = [line for broken, _ in results for line in _broken_promises(experiment, broken)]
    promises += [f"it should raise {raises!r} and did not" for _ in results if raises]
    return Comparison(experiment, tuple(results), difference, tuple(dict.fromkeys(promises)), others, crashes)


def _crash(outcome: Outcome) -> Diagnosis:
    """Name the fault that the message of a run speaks for."""
    evidence = {"training_run": to_plain(TrainingRun(0, outcome.reason)), "missing": {}, "raised": {}}
    return diagnose_findings(findings(evidence, only=[checks()["environment/a_step_runs"]]))


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
    """Return the paired difference of the score with both intervals, or with one seed that over test examples alone."""
    broken, control = zip(*results, strict=True)
    examples = over_examples([_sample(r.scores) for r in broken], [_sample(r.scores) for r in control])
    if len(results) == 1:
        return examples
    before = [r.scores.value for r in control]
    paired = [r.scores.value - value for r, value in zip(broken, before, strict=True)]
    return replace(over_seeds(paired, before), examples=(examples.low, examples.high))


def _sample(scores: Scores) -> Sample:
    return Sample(scores.metric, np.array(scores.statistics), (tuple(scores.inputs), tuple(scores.truths)))


def adjusted(comparisons: Sequence[Comparison]) -> list[float]:
    """Return the p-value of every comparison, corrected for there being several; NaN where there is none."""
    return holm([its.difference.p_value if its.difference else math.nan for its in comparisons])


def frame(comparisons: Sequence[Comparison], refusals: Sequence[Refusal] = ()) -> pd.DataFrame:
    """Return one row per breakage and recipe."""
    rows = [_row(its, p) for its, p in zip(comparisons, adjusted(comparisons), strict=True)]
    rows += [
        {
            "recipe": refusal.baseline,
            "breakage": refusal.name,
            "variable": "",
            "promise": f"not run: {refusal.reason}",
        }
        for refusal in refusals
    ]
    return pd.DataFrame(rows)


def _row(comparison: Comparison, p_holm: float) -> dict[str, Any]:
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
        **_figures(difference),
        "p_holm": p_holm,
        "control_val_loss": _mean([r.scores.val_loss for r in control]),
        "broken_val_loss": _mean([r.scores.val_loss for r in broken]),
        "fired": ", ".join(comparison.fired()),
        "causes": ", ".join(comparison.causes()),
        "promise": promise(comparison),
    }


def _figures(difference: Difference | None) -> dict[str, Any]:
    its = difference or Difference(math.nan, math.nan, math.nan, "")
    examples_low, examples_high = its.examples or (math.nan, math.nan)
    return {
        "difference": its.mean,
        "low": its.low,
        "high": its.high,
        "interval_over": its.over,
        "examples_low": examples_low,
        "examples_high": examples_high,
        "verdict": verdict(its) if difference else "",
        "detectable": its.detectable,
        "effect": its.effect,
        "p_value": its.p_value,
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def promise(comparison: Comparison) -> str:
    """Say in a few words whether what was promised happened."""
    if comparison.outcomes:
        return "; ".join(dict.fromkeys(f"{outcome.status}: {outcome.reason}" for outcome in comparison.outcomes))
    if comparison.experiment.story and comparison.experiment.story.expect == Expect():
        return "none was given"
    if comparison.kept and comparison.crashes:
        return f"kept: it raised {comparison.crashes[0].reason}"
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
