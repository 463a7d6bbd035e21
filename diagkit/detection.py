"""What each check sees: which breakages it notices, how often the fault is named, and what the score hides.

Written beside the report of a sweep, and as `docs/detection.md`. A breakage counts once per seed. Shares come with
Wilson's interval (1927), which holds for few runs too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from diagkit.comparison import Comparison, Result
from diagkit.finding import Verdict
from diagkit.judge import checks
from diagkit.markdown import table
from diagkit.paired import wilson
from diagkit.wording import interval


@dataclass(frozen=True)
class Share:
    """Hits among tries."""

    hits: int
    of: int

    def __str__(self) -> str:
        """Return the share with its interval.

        >>> str(Share(28, 30)), str(Share(0, 0))
        ('28 of 30 (93 %, 79 % to 98 %)', 'not asked')
        """
        if not self.of:
            return "not asked"
        low, high = wilson(self.hits, self.of)
        return f"{self.hits} of {self.of} ({self.hits / self.of:.0%}, {low:.0%} to {high:.0%})".replace("%", " %")


def page(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the blocks of the page: named, hidden, per check, per breakage."""
    broken = planted(comparisons)
    return [
        "# What each check sees",
        "Every breakage was planted in every recipe named here, once per seed, and trained beside its control. Shares "
        "have a 95 % interval in brackets (Wilson's). Breakages that declare a blind spot are marked and not counted.",
        "## Is the planted fault named?",
        *_named(broken),
        "## What the score hides",
        "The dangerous groups come first: a score that does not fall, or even rises, while something is wrong.",
        _hidden(broken),
        "## How good is each check?",
        "*Found:* of the broken runs whose breakage promises this check. *False alarms:* of the healthy controls that "
        "it was asked of. Checks that nothing promised and that never failed are left out.",
        _per_check(broken),
        "## Which breakage does which check notice?",
        "The share of seeds on which a check failed; **bold** where the breakage promises it.",
        _per_breakage(broken),
    ]


def planted(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return the comparisons whose runs are broken: no control, and no variable alone of a confounded one."""
    return [c for c in comparisons if c.experiment.story and c.pairs and not c.experiment.part_of]


def first(comparison: Comparison, among: int) -> Share:
    """Return on how many seeds the planted fault is among the first causes."""
    story = comparison.experiment.story
    named = [bool(story) and story.fault in its.diagnosis.causes[:among] for its, _ in comparison.pairs if story]
    return Share(sum(named), len(named))


def controls(comparisons: Iterable[Comparison]) -> list[Result]:
    """Return every healthy control once; a recipe with other settings need not be healthy."""
    plain = [c for c in comparisons if " " not in c.experiment.baseline]
    return list({its.run.keys.probe: its for comparison in plain for _, its in comparison.pairs}.values())


def expected(comparison: Comparison) -> Share:
    """Return how many of the promised checks failed, over all seeds; skipped ones do not count."""
    verdicts = [
        finding.verdict
        for its, _ in comparison.pairs
        for finding in its.diagnosis.findings
        if finding.check in comparison.experiment.expect.fail and finding.verdict is not Verdict.SKIP
    ]
    return Share(sum(verdict is Verdict.FAIL for verdict in verdicts), len(verdicts))


def summary(comparisons: Sequence[Comparison]) -> dict[str, Share]:
    """Return the figures over everything that declares no blind spot."""
    seeing = [c for c in planted(comparisons) if c.experiment.story and not c.experiment.story.blind_spot]
    healthy = controls(comparisons)
    return {
        "named first": _sum(first(c, 1) for c in seeing),
        "among the first three": _sum(first(c, 3) for c in seeing),
        "promised checks that failed": _sum(map(expected, seeing)),
        "controls with any fault": Share(sum(bool(its.diagnosis.causes) for its in healthy), len(healthy)),
    }


def matrix(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return one row per breakage and recipe and one column per check: the share of seeds on which it failed.

    Cells of checks that were not asked are empty.
    """
    rows = []
    for c in planted(comparisons):
        shares = {name: _share(name, [its for its, _ in c.pairs]) for name in checks()}
        row = {name: its.hits / its.of for name, its in shares.items() if its.of}
        rows.append({"breakage": c.experiment.name, "recipe": c.experiment.baseline, **row})
    return pd.DataFrame(rows)


def _sum(shares: Iterable[Share]) -> Share:
    shares = list(shares)
    return Share(sum(share.hits for share in shares), sum(share.of for share in shares))


def _named(comparisons: Sequence[Comparison]) -> list[str]:
    rows = [[name, str(share)] for name, share in summary(comparisons).items()]
    each = [
        [
            _name(c),
            c.experiment.baseline,
            story.fault,
            f"{first(c, 1).hits} of {len(c.pairs)}",
            f"{first(c, 3).hits} of {len(c.pairs)}",
            ", ".join(dict.fromkeys(its.diagnosis.causes[0] for its, _ in c.pairs if its.diagnosis.causes)),
        ]
        for c in comparisons
        if (story := c.experiment.story)
    ]
    columns = ["breakage", "recipe", "planted fault", "first", "first three", "first causes"]
    return [table(["over all", "share"], rows), table(columns, each)]


def _name(comparison: Comparison) -> str:
    story = comparison.experiment.story
    return comparison.experiment.name + (" (blind spot)" if story and story.blind_spot else "")


def _hidden(comparisons: Sequence[Comparison]) -> str:
    groups: dict[str, list[list[str]]] = {name: [] for name in GROUPS}
    for c in comparisons:
        row = [_name(c), c.experiment.baseline, interval(c.difference), ", ".join(c.causes()[:1]) or "nothing"]
        groups[_group(c)].append(row)
    rows = [[group, *row] for group, its in groups.items() for row in its]
    return table(["group", "breakage", "recipe", "difference of the score", "named"], rows)


GROUPS = (
    "score better, a check fails",
    "score better, no check fails",
    "score shows nothing, a check fails",
    "score shows nothing, no check fails",
    "score worse, no check fails",
    "score worse, a check fails",
)


def _group(comparison: Comparison) -> str:
    difference, noticed = comparison.difference, bool(comparison.fired())
    shown = difference is not None and difference.seen
    score = "shows nothing" if not shown or difference is None else "better" if difference.mean > 0 else "worse"
    return f"score {score}, {'a' if noticed else 'no'} check fails"


def _per_check(comparisons: Sequence[Comparison]) -> str:
    rows = []
    for name in checks():
        promising = [c for c in comparisons if name in c.experiment.expect.fail]
        found = _share(name, [its for c in promising for its, _ in c.pairs])
        alarms = _share(name, controls(comparisons))
        if found.of or alarms.hits:
            rows.append([name, str(found), str(alarms)])
    return table(["check", "found", "false alarms"], rows)


def _share(name: str, results: Sequence[Result]) -> Share:
    verdicts = [f.verdict for its in results for f in its.diagnosis.findings if f.check == name]
    asked = [verdict for verdict in verdicts if verdict is not Verdict.SKIP]
    return Share(sum(verdict is Verdict.FAIL for verdict in asked), len(asked))


def _per_breakage(comparisons: Sequence[Comparison]) -> str:
    rows = []
    for c in comparisons:
        marks = []
        for name, count in sorted(c.fired().items(), key=lambda item: -item[1]):
            text = f"{name} {count / len(c.pairs):.0%}".replace("%", " %")
            marks.append(f"**{text}**" if name in c.experiment.expect.fail else text)
        rows.append([_name(c), c.experiment.baseline, "; ".join(marks) or "none"])
    return table(["breakage", "recipe", "checks that failed"], rows)
