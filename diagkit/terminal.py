"""What a terminal shows: progress while running, then the answer first."""

import sys
import threading
from collections.abc import Sequence
from types import TracebackType

from tqdm import tqdm

from diagkit.comparison import Comparison, Result, promise
from diagkit.compose import Refusal
from diagkit.finding import Finding, Verdict
from diagkit.plan import Run
from diagkit.story import ASKED, QUESTIONS
from diagkit.wording import interval, number, verdict

COLORS = {Verdict.PASS: "32", Verdict.FAIL: "31", Verdict.SKIP: "2", Verdict.ERROR: "33"}


class Progress:
    """One bar over all runs, measured in training steps, with the step and loss of every run in progress.

    Quiet when standard error is not a terminal.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self._budget = {run.label: int(run.config["training"]["steps"]) for run in runs}
        self._now: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()
        self._bar = tqdm(
            total=sum(self._budget.values()),
            disable=None,  # tqdm's own test for a terminal
            file=sys.stderr,
            leave=False,
            dynamic_ncols=True,
            bar_format="{percentage:3.0f}% |{bar}| {remaining} left {desc}",
        )

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def step(self, run: Run, step: int, loss: float) -> None:
        """Take note of a run's step and loss."""
        with self._lock:
            self._bar.update(step - self._now.get(run.label, (0, 0.0))[0])
            self._now[run.label] = (step, loss)
            self._bar.set_description_str(self._text())

    def done(self, run: Run) -> None:
        """Take note that a run has ended."""
        with self._lock:
            self._bar.update(self._budget.get(run.label, 0) - self._now.pop(run.label, (0, 0.0))[0])
            self._bar.set_description_str(self._text())

    def _text(self) -> str:
        return " · ".join(
            f"{label}: {step}/{self._budget[label]} loss {loss:.2f}" for label, (step, loss) in self._now.items()
        )


def answers(comparison: Comparison) -> list[str]:
    """Return one line a question for the control and the broken run of the first seed."""
    lines = []
    for broken, control in comparison.pairs[:1]:
        if comparison.experiment.story is None:
            lines += [f"{comparison.experiment.baseline}, control", *_questions(control)]
        else:
            lines += [f"{comparison.experiment.baseline}, {comparison.experiment.name}", *_questions(broken)]
            lines.append(f"  → {', '.join(broken.diagnosis.causes[:3]) or 'nothing wrong was found'}")
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
