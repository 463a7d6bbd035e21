"""What a terminal shows: progress while running, then the answer first."""

import re
import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from tqdm import tqdm

from diagkit.comparison import Comparison, Result, promise
from diagkit.compose import Refusal
from diagkit.finding import Finding, Verdict
from diagkit.mystery import SECRET
from diagkit.plan import Run
from diagkit.story import ASKED, QUESTIONS
from diagkit.wording import interval, number, verdict

ASKING = 0.4  # of a run's steps: what scoring and asking it counts for in the bar; it takes 20 to 30 % of a sweep
COLORS = {Verdict.PASS: "32", Verdict.FAIL: "31", Verdict.SKIP: "2", Verdict.ERROR: "33"}


class Progress:
    """One bar over all runs, measured in training steps, with what is going on now.

    Quiet when standard error is not a terminal.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        first = {run.keys.train: run.label for run in reversed(runs)}
        steps = {run.label: int(run.config["training"]["steps"]) for run in runs}
        self._steps = {run.label: steps[run.label] if first[run.keys.train] == run.label else 0 for run in runs}
        self._asking = {label: ASKING * count for label, count in steps.items()}
        self._taken: dict[str, int] = {}
        self._now: dict[str, str] = {}
        self._warned: set[str] = set()
        self._lock = threading.Lock()
        self._bar = tqdm(
            total=sum(self._steps.values()) + sum(self._asking.values()),
            disable=None,  # tqdm's own test for a terminal
            file=sys.stderr,
            leave=False,
            dynamic_ncols=True,
            bar_format="{percentage:3.0f}% |{bar:20}| {remaining} left  {desc}",
        )

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def hear(self, run: Run, what: str, *details: Any) -> None:
        """Take note of a message of `runner.execute`."""
        with self._lock:
            if what == "warning":
                self._warn(run, *details)
            elif what == "step":
                step, loss = details
                self._advance(run, step)
                self._now[run.label] = f"{step}/{self._steps[run.label]} loss {loss:.2f}"
            elif what == "trained":
                self._advance(run, self._steps[run.label])
                self._now.pop(run.label, None)
            else:
                self._now[run.label] = what
            self._bar.set_description_str(" · ".join(f"{label}: {text}" for label, text in self._now.items()))

    def done(self, run: Run) -> None:
        """Take note that a run has ended."""
        self.hear(run, "trained")
        with self._lock:
            self._bar.update(self._asking.pop(run.label, 0))

    def _advance(self, run: Run, step: int) -> None:
        self._bar.update(step - self._taken.get(run.label, 0))
        self._taken[run.label] = step

    def _warn(self, run: Run, text: str) -> None:
        kind = re.sub(r"\d+", "", text)  # PyTorch repeats itself for every size
        if kind not in self._warned:
            self._warned.add(kind)
            self._bar.write(f"{run.label} warns: {text}", file=sys.stderr)


def answers(comparison: Comparison) -> list[str]:
    """Return one line a question for the control and the broken run of the first seed."""
    lines = []
    for broken, control in comparison.pairs[:1]:
        if comparison.experiment.story is None:
            lines += [f"{comparison.experiment.baseline}, control", *_questions(control)]
        else:
            lines.append(f"{comparison.experiment.baseline}, {comparison.experiment.name}")
            if broken.diagnosis.findings:
                lines += _questions(broken)
                lines.append(f"  → {', '.join(broken.diagnosis.causes[:3]) or 'nothing wrong was found'}")
            else:
                lines.append(f"  → {SECRET}")
            if comparison.difference:
                lines.append(f"  → {control.scores.metric}: {verdict(comparison.difference)}")
    return lines


def _questions(result: Result) -> list[str]:
    return [_question(question, result.diagnosis.of_question(question)) for question in QUESTIONS]


def _question(question: str, found: Sequence[Finding]) -> str:
    """Answer with what failed, or else with one figure and the number of checks that passed as well."""
    failed = [f for f in found if f.verdict in (Verdict.FAIL, Verdict.ERROR)]
    passed = [f for f in found if f.verdict is Verdict.PASS]
    if failed:
        verdict, text = failed[0].verdict, "; ".join(f.text for f in failed)
    elif passed:
        shown = next((f for f in passed if f.value is not None), passed[0])
        more = f" (and {len(passed) - 1} more)" if len(passed) > 1 else ""
        verdict, text = Verdict.PASS, shown.text + more
    else:
        verdict, text = Verdict.SKIP, found[0].text if found else "nothing was asked"
    return f"  {_colored(verdict)} {ASKED[question]:<34} {text}"


def _colored(verdict: Verdict) -> str:
    return f"\033[{COLORS[verdict]}m{verdict.value}\033[0m" if sys.stdout.isatty() else verdict.value


def table(comparisons: Sequence[Comparison], refusals: Sequence[Refusal]) -> list[str]:
    """Return the comparison with the controls as aligned lines."""
    rows = [
        (
            "recipe",
            "breakage",
            "variable",
            "metric",
            "control",
            "broken",
            "difference [95 % interval]",
            "promise",
        )
    ]
    for comparison in comparisons:
        experiment = comparison.experiment
        results = list(zip(*comparison.pairs, strict=True))
        scores = [number(sum(r.scores.value for r in part) / len(part)) for part in reversed(results)]
        control, broken = scores if scores else ("", "")
        variable = "; ".join(map(str, experiment.changes))
        rows.append(
            (
                experiment.baseline,
                experiment.name,
                f"confounded: {variable}" if experiment.confounded else variable,
                comparison.pairs[0][0].scores.metric if comparison.pairs else "",
                control,
                broken if experiment.story else "",
                interval(comparison.difference),
                promise(comparison),
            )
        )
    rows += [(r.baseline, r.name, "", "", "", "", "", f"not run: {r.reason}") for r in refusals]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
