"""A command from plan to report; the command line and `diagkit.run` are two ways in."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from diagkit import environment, mystery, report, runner, store, terminal
from diagkit.comparison import Comparison, compare
from diagkit.compose import Experiment, Refusal
from diagkit.mistake import Mistake, Refused
from diagkit.plan import Pair, Run, chains, pairs
from diagkit.runner import Outcome
from diagkit.stages import finished, is_trained


@dataclass(frozen=True)
class Session:
    """What was asked for."""

    experiments: Sequence[Experiment]
    refusals: Sequence[Refusal]
    seeds: Sequence[int]
    jobs: int
    store: Path
    folder: Path  # of the report
    deep: bool = False  # also ask probes that take long
    sweep: bool = False  # a breakage that is refused is a row of the report, not an error


@dataclass(frozen=True)
class Ending:
    """What came of it."""

    comparisons: Sequence[Comparison]
    refusals: Sequence[Refusal]
    path: Path  # of report.md

    def exit_status(self) -> int:
        """Return 0 as promised, 1 not as promised, 3 where a run raised or died."""
        if any(comparison.outcomes for comparison in self.comparisons):
            return 3
        return 0 if all(comparison.kept for comparison in self.comparisons) else 1


class Interrupted(Exception):  # noqa: N818 - it is not an error
    """Ctrl-C, with how much is kept."""


def conduct(session: Session) -> Ending:
    """Execute what is not stored, compare, and write the report.

    Raises:
        Mistake: an input cannot be used, or the report cannot be written.
        Interrupted: the user stopped it.
    """
    for folder in (session.store, session.folder):
        store.make_folder(folder)  # before hours of training rather than after
    planned = pairs(session.experiments, session.seeds, session.deep)
    began = time.perf_counter()
    ends = _execute(session, planned)
    seconds = time.perf_counter() - began
    refused = {o.run.keys.probe: o for o in ends.values() if o.status == "refused"}
    evidence = {key: finished(session.store, o.run.keys, o.run.probes) or {} for key, o in ends.items() if o.usable}
    comparisons, refusals = [], list(session.refusals)
    for experiment in session.experiments:
        mine = [pair for pair in planned if pair.experiment is experiment]
        reasons = [refused[pair.broken.keys.probe].reason for pair in mine if pair.broken.keys.probe in refused]
        if reasons:
            refusals.append(Refusal(experiment.baseline, experiment.name, reasons[0]))
        else:
            comparisons.append(mystery.silent(compare(experiment, mine, evidence, ends)))
    if not comparisons:
        raise Refused("; ".join(refusal.reason for refusal in refusals))
    threads = session.experiments[0].config["runtime"]["threads"]
    done, kept = runner.count(ends.values(), "done"), runner.count(ends.values(), "kept")
    training = sum(its.training for its in ends.values())
    asking = sum(its.seconds for its in ends.values())
    spent = environment.Spent(seconds, training, asking)
    where = environment.here(session.jobs, threads, spent, done, kept)
    path = report.write(report.Report(comparisons, refusals, session.seeds, where), session.folder)
    return Ending(comparisons, refusals, path)


def _execute(session: Session, planned: Sequence[Pair]) -> dict[str, Outcome]:
    """Return how every run ended, by its probe key."""
    todo = chains(planned)
    runs: list[Run] = [run for chain in todo for run in chain]
    controls = {pair.control.keys.probe for pair in planned}
    ends: dict[str, Outcome] = {}
    with terminal.Progress(runs) as progress:
        executing = runner.execute(todo, session.store, session.jobs, progress.hear)
        try:
            for outcome in executing:
                progress.done(outcome.run)
                if outcome.status == "mistake":
                    if not session.sweep or outcome.run.keys.probe in controls:
                        raise Mistake(outcome.reason)
                    outcome = replace(outcome, status="refused")
                if outcome.status == "refused" and not session.sweep:
                    raise Refused(outcome.reason)
                ends[outcome.run.keys.probe] = outcome
        except KeyboardInterrupt:
            usable = sum(finished(session.store, run.keys, run.probes) is not None for run in runs)
            trained = sum(is_trained(session.store, chain[0].keys) for chain in todo)
            raise Interrupted(
                f"stopped: {usable} of {len(runs)} runs and {trained} of {len(todo)} trainings are done and kept; the "
                "same command continues with the rest"
            ) from None
        finally:
            executing.close()  # ends the processes that still run
    return ends


def show(ending: Ending) -> None:
    """Print the answers, the table and the place of the report."""
    lines: list[str] = []
    for comparison in ending.comparisons:
        lines += [*terminal.answers(comparison), ""]
    lines += [*terminal.table(ending.comparisons, ending.refusals), "", f"report: {ending.path}"]
    print("\n".join(lines), file=sys.stdout)
