"""From findings to causes: direct evidence before symptoms, earlier questions before later ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from diagkit.finding import Finding, Verdict


@dataclass(frozen=True)
class Diagnosis:
    """The findings of one run and the faults that explain them.

    Attributes:
        findings: in the order of the five questions.
        causes: names of `faults.yaml`, most likely first; empty when nothing failed.
    """

    findings: tuple[Finding, ...]
    causes: tuple[str, ...]

    def __bool__(self) -> bool:
        return all(self.findings)

    def failed(self) -> list[str]:
        """Return the names of the checks that failed."""
        return [finding.check for finding in self.findings if finding.verdict is Verdict.FAIL]

    def of_question(self, question: str) -> list[Finding]:
        """Return the findings of one question."""
        return [finding for finding in self.findings if finding.check.startswith(f"{question}/")]


def diagnose_findings(findings: Sequence[Finding]) -> Diagnosis:
    """Rank the faults that the failed findings speak for.

    Faults seen directly come first. A symptom that one of them explains adds nothing; any other symptom adds its
    candidates, most likely first.
    """
    failed = [finding for finding in findings if finding.verdict is Verdict.FAIL]
    causes = [fault for finding in failed if finding.direct for fault in finding.faults]
    for finding in failed:
        if not {*finding.faults, *finding.explained_by} & set(causes):
            causes += finding.faults
    return Diagnosis(tuple(findings), tuple(dict.fromkeys(causes)))
