"""`python -m diagkit.compare RUN_A RUN_B`: what was changed between stored runs, and whether a claim follows."""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from diagkit import records
from diagkit.claim import Claim, Group, claim, sentence
from diagkit.mistake import Mistake, nearest
from diagkit.paired import holm
from diagkit.records import Record
from diagkit.wording import interval, number

CLAIM, NO_CLAIM, MISTAKE = 0, 1, 2
HELP = """A RUN is the folder of a report, with #NAME behind it for the runs of one breakage or of the control:
outputs/2026-11-30/09-58-18#control. Of a folder alone, or one that holds several, all runs are compared with their
namesakes. Exit status: 0 the figures differ and a claim can be made, 1 it cannot (confounded, within noise,
uninformative), 2 a mistake."""


def main(argv: Sequence[str] | None = None) -> int:
    """Compare stored runs, print what came of it, and return the exit status."""
    parser = argparse.ArgumentParser("python -m diagkit.compare", description=f"Compare stored runs. {HELP}")
    parser.add_argument("first", metavar="RUN_A", help="a report's folder, or FOLDER#NAME")
    parser.add_argument("second", metavar="RUN_B", help="what to compare it with")
    options = parser.parse_args(argv)
    try:
        return _compare(options.first, options.second)
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return MISTAKE


def _compare(first: str, second: str) -> int:
    pairs = matched(groups(first), groups(second))
    claims = [claim(a, b) for a, b in pairs]
    p_values = holm([its.difference.p_value for its in claims])
    several = sum(not math.isnan(p) for p in p_values) > 1
    blocks = [described(its, p if several else math.nan) for its, p in zip(claims, p_values, strict=True)]
    print("\n\n".join("\n".join(block) for block in blocks))
    return NO_CLAIM if any(its.faults for its in claims) else CLAIM


def groups(name: str) -> list[Group]:
    """Return the groups of runs that `FOLDER` holds, or the one that `FOLDER#NAME` means.

    Raises:
        Mistake: there is no such folder or name.
    """
    folder, _, wanted = name.partition("#")
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records.read(Path(folder)):
        found.setdefault((record.baseline, record.breakage), []).append(record)
    breakages = [breakage for _, breakage in found]
    by_name = {
        breakage if breakages.count(breakage) == 1 else f"{baseline} {breakage}": runs
        for (baseline, breakage), runs in found.items()
    }
    if wanted and wanted not in by_name:
        raise Mistake(f"{folder} holds no runs named {wanted!r}: {nearest(wanted, by_name)}")
    named = {wanted: by_name[wanted]} if wanted else by_name
    if any(runs[0].breakage == "mystery" for runs in named.values()):
        raise Mistake(f"{folder} keeps a secret: the same command with reveal=true tells it, then it can be compared")
    return [_group(f"{folder}#{short}", runs) for short, runs in named.items()]


def _group(name: str, runs: Sequence[Record]) -> Group:
    if any((run.settings, run.data, run.code) != (runs[0].settings, runs[0].data, runs[0].code) for run in runs):
        raise Mistake(f"the runs of {name} differ in settings, data or code: name the folder of one report")
    return Group(name, tuple(runs))


def matched(first: Sequence[Group], second: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Pair the groups of two folders: the only ones of both, or else those of one name.

    A name is the recipe, the user's settings and the breakage; where no two agree, it goes without the settings.

    Raises:
        Mistake: no name occurs in both.
    """
    if len(first) == len(second) == 1:
        return [(first[0], second[0])]
    for name in (_full, _without_settings):
        mine, theirs = _unique(first, name), _unique(second, name)
        if shared := [key for key in mine if key in theirs]:
            return [(mine[key], theirs[key]) for key in shared]
    there = [group.name for side in (first, second) for group in side]
    raise Mistake(f"no runs of the two have one name; name one of each: {', '.join(there)}")


Name = tuple[str, str]


def _full(group: Group) -> Name:
    return group.runs[0].baseline, group.runs[0].breakage


def _without_settings(group: Group) -> Name:
    return group.runs[0].baseline.partition(" ")[0], group.runs[0].breakage


def _unique(groups: Sequence[Group], name: Callable[[Group], Name]) -> dict[Name, Group]:
    names = [name(group) for group in groups]
    return {key: group for key, group in zip(names, groups, strict=True) if names.count(key) == 1}


def described(its: Claim, adjusted: float) -> list[str]:
    """Return what was changed, what differs and the verdict as lines."""
    changed = its.changed
    rows = {
        "config": [*changed.config, *(f"{line} (follows)" for line in changed.derived)],
        "data": list(changed.data),
        "code": list(changed.code),
        "packages": [*changed.packages, *(f"{line} (no figure depends on it)" for line in changed.other_packages)],
        "environment": list(changed.environment),
        "seed": list(changed.seed),
    }
    lines = [f"{sign}  {_what(group)}" for sign, group in (("A", its.first), ("B", its.second))]
    variables = len(changed.variables())
    lines += ["", f"changed: {('nothing', 'one variable')[variables] if variables < 2 else f'{variables} variables'}"]
    lines += [f"  {name:<12} {'; '.join(row) or 'the same'}" for name, row in rows.items() if row or name != "seed"]
    how = f"paired over seeds {_seeds(its.shared)}" if its.shared else "unpaired, since the seeds are separate"
    return [*lines, "", f"B minus A, {how}:", *_table(its), "", sentence(its, adjusted)]


def _what(group: Group) -> str:
    run = group.runs[0]
    return f"{group.name}: {run.baseline} {run.breakage}, seeds {_seeds(group.seeds)}"


def _seeds(seeds: Sequence[int]) -> str:
    return ", ".join(map(str, seeds))


def _table(its: Claim) -> list[str]:
    rows = [("", "A", "B", "difference [95 % interval]")]
    rows += [
        (name, number(a, max(abs(a), abs(b))), number(b, max(abs(a), abs(b))), interval(difference))
        for name, (a, b, difference) in its.figures().items()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return [f"  {line}" for line in lines]


if __name__ == "__main__":
    raise SystemExit(main())
