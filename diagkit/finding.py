"""What a check says: a verdict, what was measured against which threshold, and the faults it speaks for."""

import math
from dataclasses import dataclass, replace
from enum import Enum


class Verdict(Enum):
    """PASS and FAIL judge; SKIP could not ask and says why; ERROR is a check that raised, never a FAIL."""

    PASS = "PASS"
    FAIL = "FAIL"
    SKIP = "SKIP"
    ERROR = "ERROR"


@dataclass(frozen=True)
class Finding:
    """The answer of one check. Truthy unless it failed or raised."""

    verdict: Verdict
    text: str
    value: float | None = None  # the measured figure, in the unit that `text` gives
    threshold: float | None = None
    faults: tuple[str, ...] = ()  # of a FAIL: what it speaks for, most likely first
    direct: bool = False  # the faults are seen themselves, not concluded from a symptom
    explained_by: tuple[str, ...] = ()  # faults that have this symptom too: where one is seen, it is no second cause
    check: str = ""  # `question/name`, set by the judge

    def __bool__(self) -> bool:
        return self.verdict in (Verdict.PASS, Verdict.SKIP)

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.text}"

    def means(self, *faults: str) -> "Finding":
        """Say which faults a FAIL shows directly."""
        return replace(self, faults=faults, direct=True) if self.verdict is Verdict.FAIL else self

    def suggests(self, *faults: str, unless: tuple[str, ...] = ()) -> "Finding":
        """Say which faults a FAIL is a symptom of, most likely first, unless another one that has it too is seen."""
        return replace(self, faults=faults, explained_by=unless) if self.verdict is Verdict.FAIL else self


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _compare(value: float, limit: float, holds: bool, signs: tuple[str, str], what: str, unit: str) -> Finding:
    verdict = Verdict.PASS if holds else Verdict.FAIL
    sign = "is not comparable to" if math.isnan(value) else signs[0] if holds else signs[1]
    text = f"{what} {_number(value)} {sign} {_number(limit)}"
    return Finding(verdict, f"{text} {unit}".rstrip(), value, limit)


def at_least(value: float, minimum: float, *, what: str, unit: str = "") -> Finding:
    """Pass when `value >= minimum`; NaN fails.

    >>> print(at_least(0.2, 0.05, what="loss drop", unit="nats"))
    PASS: loss drop 0.2 >= 0.05 nats
    """
    return _compare(value, minimum, value >= minimum, (">=", "<"), what, unit)


def at_most(value: float, maximum: float, *, what: str, unit: str = "") -> Finding:
    """Pass when `value <= maximum`; NaN fails.

    >>> print(at_most(1.08, 0.3, what="gap", unit="nats"))
    FAIL: gap 1.08 > 0.3 nats
    """
    return _compare(value, maximum, value <= maximum, ("<=", ">"), what, unit)


def passed(text: str) -> Finding:
    """Pass without a figure."""
    return Finding(Verdict.PASS, text)


def failed(text: str) -> Finding:
    """Fail without a figure."""
    return Finding(Verdict.FAIL, text)


def skipped(reason: str) -> Finding:
    """Say why the question could not be asked."""
    return Finding(Verdict.SKIP, reason)
