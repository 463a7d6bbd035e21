"""From findings to causes: direct evidence before symptoms, earlier questions before later ones."""

import html
import json
import math
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from diagkit.faults import vocabulary
from diagkit.finding import Finding, Verdict
from diagkit.judge import checks
from diagkit.mistake import Mistake
from diagkit.story import ASKED, QUESTIONS

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 3  # causes that are explained
NONFINITE = {"nonfinite_inputs", "nonfinite_values"}


@dataclass(frozen=True)
class Diagnosis:
    """The findings of one training and the faults that explain them. Truthy when nothing is wrong.

    Attributes:
        findings: in the order of the five questions.
        causes: names of `faults.yaml`, most likely first; empty when nothing is wrong.
        accepted: checks whose failure a baseline shares, so that it is no cause.
    """

    findings: tuple[Finding, ...]
    causes: tuple[str, ...]
    accepted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.causes and not self._unnamed()

    def _unnamed(self) -> list[Finding]:
        """Return the failures that speak for no fault there is a name for."""
        failed = [f for f in self.findings if f.verdict is Verdict.FAIL and f.check not in self.accepted]
        return [finding for finding in failed if not finding.faults]

    def failed(self) -> list[str]:
        """Return the names of the checks that failed."""
        return [finding.check for finding in self.findings if finding.verdict is Verdict.FAIL]

    def of_question(self, question: str) -> list[Finding]:
        """Return the findings of one question."""
        return [finding for finding in self.findings if finding.check.startswith(f"{question}/")]

    def evidence_for(self, cause: str) -> list[Finding]:
        """Return the failed findings that speak for a cause, or that it explains; the first one names it."""
        failed = [f for f in self.findings if f.verdict is Verdict.FAIL and f.check not in self.accepted]
        naming = [f for f in failed if cause in f.faults]
        return naming + [f for f in failed if f not in naming and cause in f.explained_by]

    def __str__(self) -> str:
        lines = []
        for question in QUESTIONS:
            found = self.of_question(question)
            if found:
                lines += [ASKED[question], *(f"  {f.verdict.value:<5} {_name(f)}: {f.text}" for f in found), ""]
        return "\n".join([*lines, self.verdict()])

    def verdict(self) -> str:
        """Return the causes with their evidence and fix, or that nothing is wrong."""
        if not self.causes and (unnamed := self._unnamed()):
            return f"No fault has a name for it, but {unnamed[0].text} ({unnamed[0].check})."
        if not self.causes:
            return "Nothing wrong was found."
        lines = ["What explains it, most likely first:"]
        for number, cause in enumerate(self.causes[:SHOWN], start=1):
            first, *others = self.evidence_for(cause)
            lines += [
                f"  {number}. {cause}: {vocabulary()[cause].means}",
                f"     evidence: {first.text} ({first.check})",
            ]
            lines += [f"     also explained by it: {other.text} ({other.check})" for other in others]
            lines.append(f"     fix: {checks()[first.check].section('Fix')}")
        return "\n".join(lines)

    def frame(self) -> "pd.DataFrame":
        """Return one row per finding."""
        import pandas as pd

        rows = [asdict(f) | {"verdict": f.verdict.value} for f in self.findings]
        columns = ["check", "verdict", "text", "value", "threshold", "faults", "direct"]
        return pd.DataFrame(rows, columns=columns)

    def to_markdown(self) -> str:
        """Return the verdict and a table of all findings."""
        lines = ["| question | check | verdict | measured |", "|---|---|---|---|"]
        for question in QUESTIONS:
            asked = ASKED[question]
            for f in self.of_question(question):
                text = f.text.replace("|", "\\|")
                lines.append(f"| {asked} | {_name(f)} | {f.verdict.value} | {text} |")
                asked = ""
        return "\n".join(["```", self.verdict(), "```", "", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{f.check.partition('/')[0]}</td><td>{_name(f)}</td>"
            f"<td style='color:{COLORS[f.verdict]}'><b>{f.verdict.value}</b></td>"
            f"<td style='text-align:left'>{html.escape(f.text)}</td></tr>"
            for f in self.findings
        )
        head = "<tr><th>question</th><th>check</th><th>verdict</th><th>measured</th></tr>"
        return f"<pre>{html.escape(self.verdict())}</pre><table>{head}{rows}</table>"

    def save(self, path: str | Path) -> None:
        """Write it as JSON, to be given as a `baseline` later."""
        findings = [asdict(f) | {"verdict": f.verdict.value} for f in self.findings]
        Path(path).write_text(json.dumps({"findings": findings, "causes": self.causes}, indent=1), "utf-8")


COLORS = {Verdict.PASS: "green", Verdict.FAIL: "crimson", Verdict.SKIP: "gray", Verdict.ERROR: "darkorange"}


def _name(finding: Finding) -> str:
    return finding.check.partition("/")[2].replace("_", " ")


def accepted(baseline: "Diagnosis | str | Path | None") -> set[str]:
    """Return the checks that failed in a baseline.

    Raises:
        Mistake: its file is not a saved diagnosis.
    """
    if baseline is None:
        return set()
    if isinstance(baseline, Diagnosis):
        return set(baseline.failed())
    try:
        found = json.loads(Path(baseline).read_text("utf-8"))["findings"]
        return {f["check"] for f in found if f["verdict"] == Verdict.FAIL.value}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(f"baseline must be a diagnosis or the path of a saved one, got {baseline}: {error}") from error


def diagnose_findings(findings: Sequence[Finding], accepted: Collection[str] = ()) -> Diagnosis:
    """Rank the faults that the failed findings speak for.

    Faults seen directly come first. A symptom that one of them explains adds nothing; any other symptom adds its
    candidates, most likely first.

    Args:
        accepted: checks whose failure is no cause.
    """
    failed = _comparable([f for f in findings if f.verdict is Verdict.FAIL and f.check not in accepted])
    causes = [fault for finding in failed if finding.direct for fault in finding.faults]
    for finding in failed:
        if not {*finding.faults, *finding.explained_by} & set(causes):
            causes += finding.faults
    muted = tuple(f.check for f in findings if f.verdict is Verdict.FAIL and f.check in accepted)
    return Diagnosis(tuple(findings), tuple(dict.fromkeys(causes)), muted)


def _comparable(failed: list[Finding]) -> list[Finding]:
    """Leave out failures by NaN alone where NaN itself is found: they only say that something was not a number."""
    if not {fault for finding in failed for fault in finding.faults[:1]} & NONFINITE:
        return failed
    return [f for f in failed if f.value is None or not math.isnan(f.value) or NONFINITE & set(f.faults)]
