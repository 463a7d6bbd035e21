"""The report: Markdown that GitHub renders, with figures and every number in a CSV file beside it."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diagkit import store
from diagkit.compare import Comparison, Difference, Result, frame, promise, runs_frame
from diagkit.compose import Experiment, Refusal
from diagkit.environment import Environment
from diagkit.finding import Finding, Verdict
from diagkit.story import QUESTIONS

ASKED = {
    "data": "Is the data what you think it is?",
    "learning": "Is the model learning anything?",
    "wrong_thing": "Is it learning the wrong thing?",
    "measurement": "Is the measurement lying?",
    "environment": "Is it the environment?",
}
SIGNS = {Verdict.PASS: "✅ PASS", Verdict.FAIL: "❌ FAIL", Verdict.SKIP: "➖ SKIP", Verdict.ERROR: "⚠️ ERROR"}
SAMPLES = 5


@dataclass(frozen=True)
class Report:
    """What a command found out."""

    comparisons: Sequence[Comparison]
    refusals: Sequence[Refusal]
    seeds: Sequence[int]
    environment: Environment


def write(report: Report, folder: Path) -> Path:
    """Write `report.md`, `runs.csv`, `comparison.csv`, the figures and the traces of runs that raised.

    Returns:
        The path of `report.md`.
    """
    from diagkit.figures import loss_curves

    for comparison in report.comparisons:
        if comparison.pairs:
            store.write(folder / "figures" / f"{slug(comparison.experiment)}.svg", loss_curves(comparison))
        for outcome in comparison.outcomes:
            if outcome.details:
                store.write(folder / "logs" / f"{_file_name(outcome.run.label)}.txt", outcome.details.encode())
    store.write(folder / "runs.csv", runs_frame(report.comparisons).to_csv(index=False).encode())
    store.write(folder / "comparison.csv", frame(report.comparisons, report.refusals).to_csv(index=False).encode())
    store.write(folder / "report.md", markdown(report).encode())
    return folder / "report.md"


def slug(experiment: Experiment) -> str:
    """Return a file name for an experiment."""
    return _file_name(f"{experiment.baseline} {experiment.name}")


def _file_name(text: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in text.replace(" ", "-"))


def markdown(report: Report) -> str:
    """Return the whole report."""
    parts = [
        "# What broke, and what noticed",
        _summary(report),
        *map(_section, report.comparisons),
        _environment(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _summary(report: Report) -> str:
    header = "| recipe | breakage | variable | metric | control | broken | difference (95 % interval) | checks that fired | promise |"
    rows = [header, "|" + "---|" * 9, *map(_summary_row, report.comparisons)]
    rows += [
        f"| {cell(refusal.baseline)} | {refusal.name} | | | | | | | does not apply: {cell(refusal.reason)} |"
        for refusal in report.refusals
    ]
    notes = []
    if any(c.difference and c.difference.over == "test examples" for c in report.comparisons):
        notes.append(
            "Intervals marked † cover the draw of test examples only, not the noise of training: run several seeds, "
            "for example `'seeds=[0,1,2]'`, for an interval over trainings."
        )
    if any(c.experiment.confounded for c in report.comparisons):
        notes.append(
            "**Confounded** rows change more than one variable: their difference cannot be given to any one of them."
        )
    return "\n".join(rows) + "".join(f"\n\n{note}" for note in notes)


def _summary_row(comparison: Comparison) -> str:
    experiment, figures = comparison.experiment, frame([comparison]).iloc[0]
    variable = ", ".join(f"`{change}`" for change in experiment.changes)
    if experiment.confounded:
        variable = f"**confounded:** {variable}"
    fired = ", ".join(f"{name.partition('/')[2]}" for name in comparison.fired()) or "none"
    scores = [number(figures["control"]), number(figures["broken"]) if experiment.story else ""]
    cells = [
        experiment.baseline,
        f"[{experiment.name}](#{_anchor(experiment)})",
        variable,
        str(figures["metric"]),
        *scores,
        interval(comparison.difference),
        fired if comparison.pairs else "",
        promise(comparison),
    ]
    return "| " + " | ".join(map(cell, cells)) + " |"


def cell(text: str) -> str:
    """Make a text safe inside a table cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def number(value: float) -> str:
    """Return three significant figures or one decimal, whichever is shorter to read; nothing for NaN."""
    if math.isnan(value):
        return ""
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def interval(difference: Difference | None) -> str:
    """Return a difference and its interval; † where it covers test examples only."""
    if difference is None:
        return ""
    sign = " †" if difference.over == "test examples" else ""
    return f"{_signed(difference.mean)} [{_signed(difference.low)}, {_signed(difference.high)}]{sign}"


def _signed(value: float) -> str:
    text = number(abs(value))
    return ("+" if value >= 0 else "−") + text


def _heading(experiment: Experiment) -> str:
    return f"{experiment.name} on {experiment.baseline}"


def _anchor(experiment: Experiment) -> str:
    kept = (c for c in _heading(experiment).lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def _section(comparison: Comparison) -> str:
    experiment = comparison.experiment
    parts = [f"## {_heading(experiment)}", _told(experiment)]
    if comparison.pairs:
        parts += [
            _diff(experiment),
            _costs(comparison),
            _answers(comparison),
            f"![Loss of control and broken run](figures/{slug(experiment)}.svg)",
            _samples(*comparison.pairs[0], experiment),
            _notes(comparison.pairs[0][0]),
        ]
    parts += [f"- **{o.run.label}** {o.status}: {o.reason}" for o in comparison.outcomes]
    parts.append(f"Reproduce it:\n\n```\n{command(comparison)}\n```")
    return "\n\n".join(part for part in parts if part)


def _told(experiment: Experiment) -> str:
    story = experiment.story
    if story is None:
        return str(experiment.recipe["title"]) + "."
    lines = [
        f"**{story.title}.**",
        f"- *Symptom:* {story.symptom}",
        f"- *Looks like:* {story.looks_like}",
        f"- *Is:* {story.cause}",
        f"- *Found by:* {story.found_by}",
        f"- *Fix:* {story.fix}",
        f"- *Source:* {story.source}",
    ]
    if story.blind_spot:
        lines.append(f"- *Blind spot:* {story.blind_spot}")
    return "\n".join([lines[0], "", *lines[1:]])


def _diff(experiment: Experiment) -> str:
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


def _costs(comparison: Comparison) -> str:
    broken, control = zip(*comparison.pairs, strict=True)
    columns = [("control", control)] + ([(comparison.experiment.name, broken)] if comparison.experiment.story else [])
    metric = control[0].scores.metric
    rows = [
        (metric, lambda r: r.scores.value),
        *((name.replace("_", " "), lambda r, name=name: r.scores.extra[name]) for name in control[0].scores.extra),
        ("training loss", lambda r: r.history.final_loss()),
        ("validation loss", lambda r: r.scores.val_loss),
    ]
    lines = [f"| | {' | '.join(name for name, _ in columns)} |", "|---|" + "---|" * len(columns)]
    for name, figure in rows:
        cells = (_spread([figure(result) for result in results]) for _, results in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    if comparison.difference:
        over = comparison.difference.over
        lines.append(f"\n{metric} difference, paired: {interval(comparison.difference)} over {over}.")
    return "\n".join(lines)


def _spread(values: Sequence[float]) -> str:
    mean = sum(values) / len(values)
    return number(mean) + (f" ({number(min(values))} to {number(max(values))})" if len(values) > 1 else "")


def _answers(comparison: Comparison) -> str:
    broken, control = comparison.pairs[0]
    single = comparison.experiment.story is None
    name = comparison.experiment.name
    lines = [
        f"| question | check | control |{'' if single else f' {name} |'}",
        "|---|---|---|" + ("" if single else "---|"),
    ]
    for question in QUESTIONS:
        asked = ASKED[question]
        for its, other in zip(
            control.diagnosis.of_question(question), broken.diagnosis.of_question(question), strict=True
        ):
            check = its.check.partition("/")[2].replace("_", " ")
            lines.append(f"| {asked} | {check} | {_answer(its)} |" + ("" if single else f" {_answer(other)} |"))
            asked = ""
    title = "The five questions" + (f", seed {control.run.seed}:" if len(comparison.pairs) > 1 else ":")
    fired = [f"{check} {count}/{len(comparison.pairs)}" for check, count in comparison.fired().items()]
    over = f"\n\nOver all seeds failed: {', '.join(fired) or 'nothing'}." if len(comparison.pairs) > 1 else ""
    causes = broken.diagnosis.causes[:3]
    named = f"\n\nDiagnosis: **{', '.join(causes)}**." if causes else "\n\nDiagnosis: nothing wrong was found."
    return f"{title}\n\n" + "\n".join(lines) + over + named


def _answer(finding: Finding) -> str:
    return cell(f"{SIGNS[finding.verdict]} {finding.text}")


def _samples(broken: Result, control: Result, experiment: Experiment) -> str:
    single = experiment.story is None
    name = experiment.name
    lines = [
        f"| input | truth | control |{'' if single else f' {name} |'}",
        "|---|---|---|" + ("" if single else "---|"),
    ]
    theirs = dict(zip(control.scores.inputs, control.scores.outputs, strict=True))
    rows = list(zip(broken.scores.inputs, broken.scores.truths, broken.scores.outputs, strict=True))
    shared = [row for row in rows if row[0] in theirs]
    differing = [row for row in shared if row[2] != theirs[row[0]]]
    for source, truth, output in (differing + [row for row in shared if row not in differing])[:SAMPLES]:
        texts = [source, truth, theirs[source]] + ([] if single else [output])
        lines.append("| " + " | ".join(cell(text) or "*(empty)*" for text in texts) + " |")
    which = "the first" if single else f"outputs differ on {len(differing)} of {len(shared)} shared inputs; the first"
    return f"Sample outputs ({which} {len(lines) - 2}):\n\n" + "\n".join(lines)


def _notes(result: Result) -> str:
    notes = [*result.notes]
    if result.scores.signature:
        notes.append(f"{result.scores.metric} signature: `{result.scores.signature}`")
    return "\n".join(f"- {note}" for note in notes)


def command(comparison: Comparison) -> str:
    """Return the command line that reproduces a row."""
    seeds = [pair[0].run.seed for pair in comparison.pairs] or sorted({o.run.seed for o in comparison.outcomes})
    confounded = ["allow_confounded=true"] if comparison.experiment.confounded else []
    words = [*comparison.experiment.overrides, f"seeds=[{','.join(map(str, seeds))}]", *confounded]
    if not any(word.startswith("recipe=") for word in words):
        words.insert(0, f"recipe={comparison.experiment.recipe['name']}")
    return " ".join(["python", "-m", "diagkit", *map(shlex.quote, words)])


def _environment(report: Report) -> str:
    e = report.environment
    lines = [f"| {name} | {value} |" for name, value in e.rows().items()]
    seeds = ", ".join(map(str, report.seeds))
    return "\n".join(["## Environment", "", "| | |", "|---|---|", f"| seeds | {seeds} |", *lines])
