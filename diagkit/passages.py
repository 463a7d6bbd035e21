"""What is said of one comparison, in a report and on the pages of `docs/`: its variable, cost, findings and outputs."""

import difflib
import itertools
import shlex
from collections.abc import Callable, Sequence

from diagkit.comparison import Comparison, Result
from diagkit.compose import Experiment
from diagkit.finding import Finding, Verdict
from diagkit.markdown import prose, table
from diagkit.paired import over_seeds
from diagkit.wording import interval, number

SIGNS = {Verdict.PASS: "✅", Verdict.FAIL: "❌", Verdict.SKIP: "➖", Verdict.ERROR: "⚠️"}
SAMPLES = 5


def slug(experiment: Experiment) -> str:
    """Return a file name for an experiment."""
    return file_name(f"{experiment.baseline} {experiment.name}")


def file_name(text: str) -> str:
    """Return a text with dashes in the place of what file names do not bear."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in text.replace(" ", "-"))


def spoken(check: str) -> str:
    """Return a check's name as words, without its question."""
    return check.partition("/")[2].replace("_", " ")


def variable(experiment: Experiment) -> str:
    """Return what was changed as a diff."""
    lines = []
    for change in experiment.changes:
        before, _, after = str(change).partition(" → ")
        leaf, _, value = before.partition(": ")
        lines += [f"- {leaf}: {value}", f"+ {leaf}: {after}"]
    if not lines:
        return ""
    title = (
        "The one variable that differs:"
        if len(experiment.changes) == 1
        else "**Confounded: the variables that differ:**"
    )
    derived = "".join(f"\n\nWhat follows from it: `{change}`." for change in experiment.derived)
    return f"{title}\n\n```diff\n" + "\n".join(lines) + f"\n```{derived}"


def costs(comparison: Comparison) -> str:
    """Return score and losses of both runs; over several seeds the mean, its range and the paired difference."""
    broken, control = zip(*comparison.pairs, strict=True)
    metric, single = control[0].scores.metric, comparison.experiment.story is None
    figures: list[tuple[str, Callable[[Result], float]]] = [
        (metric, lambda r: r.scores.value),
        *((name.replace("_", " "), _extra(name)) for name in control[0].scores.extra),
        ("training loss", lambda r: r.history.final_loss()),
        ("validation loss", lambda r: r.scores.val_loss),
    ]
    rows = []
    for name, figure in figures:
        its, other = ([figure(result) for result in results] for results in (control, broken))
        paired = [b - a for a, b in zip(its, other, strict=True)]
        difference = over_seeds(paired) if len(paired) > 1 else comparison.difference if name == metric else None
        rows.append([name, _spread(its), *([] if single else [_spread(other), unbroken(interval(difference))])])
    columns = ["", "control", *([] if single else [comparison.experiment.name, "difference (95 % interval)"])]
    return table(columns, rows)


def _extra(name: str) -> Callable[[Result], float]:
    return lambda result: result.scores.extra[name]


def _spread(values: Sequence[float]) -> str:
    mean, least, most = sum(values) / len(values), min(values), max(values)
    ends = f" ({number(least, mean)} to {number(most, mean)})" if least < most else ""
    return f"{number(mean)} {unbroken(ends.strip())}".strip()


def curves(comparison: Comparison, folder: str) -> str:
    """Return the figure of the loss curves, and say where both runs are one training."""
    image = f"![Loss of control and broken run]({folder}/{slug(comparison.experiment)}.svg)"
    same = comparison.experiment.story and comparison.one_training
    return image + ("\n\nBoth runs are one training: what differs comes after it." if same else "")


def noticed(comparison: Comparison) -> list[str]:
    """Return one list item a failed check: what it measured, and on how many seeds it failed."""
    lines = []
    for check, count in comparison.fired().items():
        found = [
            finding
            for broken, _ in comparison.pairs
            for finding in broken.diagnosis.findings
            if finding.check == check and finding.verdict is Verdict.FAIL
        ]
        values = [finding.value for finding in found if finding.value is not None]
        notes = [f"on {count} of {len(comparison.pairs)} seeds"] if len(comparison.pairs) > 1 else []
        if len(set(values)) > 1:
            notes.append(f"measured {min(values):.3g} to {max(values):.3g}")
        if comparison.experiment.story and any(check in control.diagnosis.failed() for _, control in comparison.pairs):
            notes.append("the control fails it too")
        what = "; ".join([in_words(found[0]), *notes])
        lines.append(f"- {SIGNS[Verdict.FAIL]} *{spoken(check)}*: {what}")
    return lines


def in_words(finding: Finding) -> str:
    """Return a finding's text as Markdown."""
    return prose(finding.text).replace(">=", "≥").replace("<=", "≤")


def unbroken(text: str) -> str:
    """Keep a text on one line of a table cell."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def samples(comparison: Comparison) -> str:
    """Return some outputs of the first seed beside the truth, those first in which control and broken run differ."""
    broken, control = comparison.pairs[0]
    single = comparison.experiment.story is None
    theirs = dict(zip(control.scores.inputs, control.scores.outputs, strict=True))
    rows = list(zip(broken.scores.inputs, broken.scores.truths, broken.scores.outputs, strict=True))
    shared = [row for row in rows if row[0] in theirs]
    differing = [row for row in shared if row[2] != theirs[row[0]]]
    shown = (differing + [row for row in shared if row[2] == theirs[row[0]]])[:SAMPLES]
    count = "" if single else f" The two differ on {len(differing)} of {len(shared)} inputs that both have."
    columns = ["input", "truth", "control", *([] if single else [comparison.experiment.name])]
    cells = [
        [
            prose(source),
            prose(truth),
            *(marked(text, truth) for text in (theirs[source], output)[: 2 - single]),
        ]
        for source, truth, output in shown
    ]
    legend = "Sample outputs: ✓ is exactly the truth, **bold** is wrong in its place, ∅ is a word left out."
    return f"{legend}{count}\n\n{table(columns, cells)}"


def marked(output: str, truth: str) -> str:
    """Return an output with its differences from the truth marked word by word.

    Where both have the same number of words, they are compared place by place, so that exchanged words are both marked.

    >>> marked("Ana ve 58 peces", "Ana ve 85 peces"), marked("Ana ve", "Ana ve"), marked("Ana peces", "Ana ve peces")
    ('Ana ve **58** peces', '✓', 'Ana **∅** peces')
    """
    if output == truth:
        return "✓"
    words, true = output.split(), truth.split()
    if len(words) == len(true):
        places = [(a == b, [b]) for a, b in zip(true, words, strict=True)]
    else:
        codes = difflib.SequenceMatcher(None, true, words, autojunk=False).get_opcodes()
        places = [(tag == "equal", words[start:end] or ["∅"]) for tag, _, _, start, end in codes]
    parts = []
    for right, group in itertools.groupby(places, key=lambda place: place[0]):
        text = prose(" ".join(word for _, some in group for word in some))
        parts.append(text if right else f"**{text}**")
    return " ".join(parts) if words else "*(empty)*"


def command(comparison: Comparison) -> str:
    """Return the command line that reproduces a row."""
    seeds = [pair[0].run.seed for pair in comparison.pairs] or sorted(
        {o.run.seed for o in (*comparison.outcomes, *comparison.crashes)}
    )
    confounded = ["allow_confounded=true"] if comparison.experiment.confounded or comparison.experiment.part_of else []
    words = [*comparison.experiment.overrides, f"seeds=[{','.join(map(str, seeds))}]", *confounded]
    if not any(word.startswith("recipe=") for word in words):
        words.insert(0, f"recipe={comparison.experiment.recipe['name']}")
    return " ".join(["python", "-m", "diagkit", *map(shlex.quote, words)])
