"""Whether a page on disk still agrees with one made afresh.

A page is compared line by line:

- what YAML and code say: exactly;
- a line with figures of runs: its words and counts exactly, and so the threshold after a sign such as <. Any other
  figure within half of its size or a twentieth of the largest one on its line, or with an interval or a range over
  seeds that overlaps: trainings on another machine differ by that much (convention);
- what is another on every machine (sample outputs, what the score shows, versions, curves): only that it is there.
"""

import re
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from pathlib import Path

RELATIVE, OF_LARGEST = 0.5, 0.05  # tolerances; see above
LINK = re.compile(r"!\[[^]]*\]\(([^)]+)\)")  # to a figure


class Kind(Enum):
    """Where a block comes from, and so how `--check` compares it."""

    TOLD = "YAML and code"
    MEASURED = "runs"
    FREE = "this machine"


@dataclass(frozen=True)
class Block:
    """A paragraph, list, table or heading."""

    text: str
    kind: Kind = Kind.TOLD


Page = list[Block]


def text_of(page: Page) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(block.text for block in page) + "\n"


NUMBER = r"[+−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?"
FIGURE = re.compile(
    rf"[<>≥≤=] (?P<limit>{NUMBER})"
    rf"|(?P<value>{NUMBER})(?P<judged>(?= [<>≥≤=]))?"
    rf"(?: \[(?P<low>{NUMBER}), (?P<high>{NUMBER})\]| \((?P<least>{NUMBER}) to (?P<most>{NUMBER})\))?"
)


@dataclass(frozen=True)
class Figure:
    """A number on a page and the range it is given with, if any."""

    value: float
    low: float
    high: float
    count: bool = False  # a whole number that no threshold judges

    def agrees(self, other: "Figure", largest: float) -> bool:
        """Whether two runs may have given this figure and the other; see the top of this module."""
        if self.count and other.count:
            return self.value == other.value
        overlap = self.low <= other.high and other.low <= self.high
        room = max(RELATIVE * max(abs(self.value), abs(other.value)), OF_LARGEST * largest)
        return overlap or abs(self.value - other.value) <= room


def masked(line: str) -> tuple[str, list[Figure], float]:
    """Split a line into its words, the figures that may differ between machines, and the largest figure, no count.

    >>> words, figures, largest = masked("gap 0.2 < 0.3 on 3 seeds")
    >>> words, [figure.value for figure in figures], largest
    ('gap # < 0.3 on # seeds', [0.2, 3.0], 0.3)
    """
    figures: list[Figure] = []
    sizes = [0.0]

    def mask(match: re.Match[str]) -> str:
        limit, value, judged, low, high, least, most = match.groups()
        if value is None:
            sizes.append(_float(limit))
            return match.group()
        size, count = _float(value), value.isdigit() and judged is None
        figures.append(Figure(size, _float(low or least or value), _float(high or most or value), count))
        sizes.append(0.0 if count else abs(size))
        return "#"

    words = FIGURE.sub(mask, line.replace("\N{NO-BREAK SPACE}", " "))
    return words, figures, max(sizes)


def _float(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def disagreement(written: str, page: Page) -> str:
    """Return where a written page and one made afresh disagree, nothing when they agree."""
    kinds = [(line, block.kind) for block in page for line in [*block.text.split("\n"), ""]]
    for number, (old, now) in enumerate(zip_longest(written.split("\n"), kinds), 1):
        if old is None or now is None:
            return f"has {'fewer' if old is None else 'more'} lines than it should, from line {number} on"
        line, kind = now
        if not _same(old, line, kind):
            return f"line {number} says {_short(old)} where {kind.value} now give {_short(line)}"
    return ""


def _same(old: str, new: str, kind: Kind) -> bool:
    if old == new or (kind is Kind.FREE and bool(old) == bool(new)):
        return True
    if kind is not Kind.MEASURED:
        return False
    (words, figures, largest), (other_words, others, other_largest) = masked(old), masked(new)
    room = max(largest, other_largest)
    return words == other_words and all(a.agrees(b, room) for a, b in zip(figures, others, strict=True))


def _short(line: str) -> str:
    return repr(line if len(line) <= 120 else line[:117] + "...")


def stale(file: Path, page: Page) -> str:
    """Say how a page on disk differs from one made afresh, nothing when it agrees."""
    again = "run `python -m diagkit.docs`"
    if not file.is_file():
        return f"{file} is missing: {again}"
    missing = [name for name in LINK.findall(text_of(page)) if not (file.parent / name).is_file()]
    if missing:
        return f"{file} shows {missing[0]}, which is missing: {again}"
    problem = disagreement(file.read_text("utf-8"), page)
    return f"{file} is stale: {problem}; {again}" if problem else ""
