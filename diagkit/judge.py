"""From evidence to findings: every check that there is, in the order of the five questions."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from diagkit.evidence import from_plain
from diagkit.finding import Finding, Verdict, skipped
from diagkit.mistake import Mistake, nearest
from diagkit.story import QUESTIONS


@dataclass(frozen=True)
class Check:
    """One file of `checks/<question>/`."""

    name: str  # question/file
    judge: Callable[..., Finding]
    speaks_for: tuple[str, ...]  # every fault that a FAIL may name
    page: str  # its docstring

    @property
    def question(self) -> str:
        """The question it belongs to."""
        return self.name.partition("/")[0]

    @property
    def evidence(self) -> tuple[str, ...]:
        """The evidence it needs."""
        return tuple(p.name for p in self._parameters() if p.kind is not inspect.Parameter.KEYWORD_ONLY)

    @property
    def thresholds(self) -> dict[str, Any]:
        """Its thresholds and their values."""
        return {p.name: p.default for p in self._parameters() if p.kind is inspect.Parameter.KEYWORD_ONLY}

    def section(self, title: str) -> str:
        """Return the text of one section of its page."""
        match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", self.page, re.MULTILINE | re.DOTALL)
        return " ".join(match.group(1).split()) if match else ""

    def _parameters(self) -> list[inspect.Parameter]:
        return list(inspect.signature(self.judge).parameters.values())


@cache
def checks() -> dict[str, Check]:
    """Return every check by its name, in the order of the questions."""
    folder = Path(__file__).with_name("checks")
    files = [file for question in QUESTIONS for file in sorted((folder / question).glob("[!_]*.py"))]
    return {f"{file.parent.name}/{file.stem}": _load(file) for file in files}


def _load(file: Path) -> Check:
    module: ModuleType = import_module(f"diagkit.checks.{file.parent.name}.{file.stem}")
    judge = getattr(module, file.stem, None)
    if judge is None:
        raise AttributeError(f"{file} defines no function {file.stem!r}; name the check function after its file")
    return Check(f"{file.parent.name}/{file.stem}", judge, module.SPEAKS_FOR, module.__doc__ or "")


def findings(
    evidence: Mapping[str, Any],
    thresholds: Mapping[str, Mapping[str, Any]] | None = None,
    only: Iterable[Check] | None = None,
) -> list[Finding]:
    """Judge stored evidence by every check.

    Args:
        evidence: plain data by the name of its probe, and under `missing` the reasons why some could not be had.
        thresholds: by check, the thresholds that differ for this recipe; an entry `reason` says why.
        only: the checks to ask; all without.

    Raises:
        Mistake: a threshold is named that there is not.
    """
    thresholds = thresholds or {}
    for name in thresholds:
        if name not in checks():
            raise Mistake(f"checks.{name} is not a check: {nearest(name, checks())}")
    asked = checks().values() if only is None else only
    return [_answer(check, evidence, thresholds.get(check.name, {})) for check in asked]


def _answer(check: Check, evidence: Mapping[str, Any], settings: Mapping[str, Any]) -> Finding:
    limits = {name: value for name, value in settings.items() if name != "reason"}
    for name in limits:
        if name not in check.thresholds:
            raise Mistake(f"checks.{check.name}.{name} is not a threshold: {nearest(name, check.thresholds)}")
    for name in check.evidence:
        if name in evidence.get("raised", {}):
            return Finding(Verdict.ERROR, f"{name} could not be measured: {evidence['raised'][name]}", check=check.name)
        if name not in evidence:
            reason = evidence.get("missing", {}).get(name, "not recorded")
            return replace(skipped(f"no {name}: {reason}"), check=check.name)
    try:
        finding = check.judge(*(from_plain(name, evidence[name]) for name in check.evidence), **limits)
    except Exception as error:  # an ERROR is this check's own, the others still judge
        finding = Finding(Verdict.ERROR, f"{type(error).__name__}: {error}")
    return replace(finding, check=check.name)
