"""The report: Markdown that GitHub renders, with figures and every number in a CSV file beside it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diagkit import detection, records, store
from diagkit.comparison import Comparison, Result, adjusted, frame, promise, runs_frame
from diagkit.compose import Experiment, Refusal
from diagkit.environment import Environment
from diagkit.figures import loss_curves
from diagkit.finding import Finding, Verdict
from diagkit.markdown import anchor, table
from diagkit.mystery import SECRET
from diagkit.paired import Difference
from diagkit.passages import (
    SIGNS,
    command,
    costs,
    curves,
    file_name,
    in_words,
    noticed,
    samples,
    slug,
    spoken,
    unbroken,
    variable,
)
from diagkit.story import ASKED
from diagkit.wording import interval, number, room, sureness, verdict


@dataclass(frozen=True)
class Report:
    """What a command found out."""

    comparisons: Sequence[Comparison]
    refusals: Sequence[Refusal]
    seeds: Sequence[int]
    environment: Environment


def write(report: Report, folder: Path) -> Path:
    """Write `report.md`, `runs.csv`, `runs.json`, `comparison.csv`, the figures and the traces of runs that raised.

    Several breakages also get `detection.md` and `detection.csv`: what each check sees of them.

    Returns:
        The path of `report.md`.
    """
    for comparison in report.comparisons:
        if comparison.pairs:
            store.write(folder / "figures" / f"{slug(comparison.experiment)}.svg", loss_curves(comparison))
        for outcome in comparison.outcomes:
            if outcome.details:
                store.write(folder / "logs" / f"{file_name(outcome.run.label)}.txt", outcome.details.encode())
    store.write(folder / "runs.csv", runs_frame(report.comparisons).to_csv(index=False).encode())
    store.write(folder / "comparison.csv", frame(report.comparisons, report.refusals).to_csv(index=False).encode())
    if len(detection.planted(report.comparisons)) > 1:
        store.write(folder / "detection.md", "\n\n".join(detection.page(report.comparisons)).encode() + b"\n")
        store.write(folder / "detection.csv", detection.matrix(report.comparisons).to_csv(index=False).encode())
    store.write(folder / records.FILE, records.content(report.comparisons, report.environment).encode())
    store.write(folder / "report.md", markdown(report).encode())
    return folder / "report.md"


def markdown(report: Report) -> str:
    """Return the whole report, the answer first."""
    p_values = adjusted(report.comparisons)
    several = sum(not math.isnan(p) for p in p_values) > 1
    parts = [
        "# What broke, and what noticed",
        _headline(report),
        _summary(report),
        *(
            _section(its, p_holm if several else math.nan, told=len(report.comparisons) == 1)
            for its, p_holm in zip(report.comparisons, p_values, strict=True)
        ),
        _environment(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(report: Report) -> str:
    promising = [c for c in report.comparisons if not c.experiment.part_of]
    if len(promising) == 1:
        return _verdict(promising[0]) + _alone([c for c in report.comparisons if c.experiment.part_of])
    broken = detection.planted(report.comparisons)
    if not broken:
        return ""
    seen = sum(bool(c.fired()) for c in broken)
    named = sum(_first_cause(c) == c.experiment.story.fault for c in broken if c.experiment.story)
    shown = sum(c.difference.seen for c in broken if c.difference)
    kept = sum(c.kept for c in promising)
    unseen = " Elsewhere its interval includes zero, and the table says what these runs could have shown."
    return (
        f"**Of {len(broken)} broken experiments the checks noticed {seen}** and named {named} by the fault that was "
        f"planted. The score alone shows {shown}.{unseen if shown < len(broken) else ''} "
        f"Promises kept: {kept} of {len(promising)}."
    )


def _alone(parts: Sequence[Comparison]) -> str:
    """Say what each variable of a confounded experiment does alone."""
    found = [f"`{its.experiment.changes[0].leaf}` makes {interval(its.difference)}" for its in parts]
    return f" Alone, {' and '.join(found)}." if found else ""


def _first_cause(comparison: Comparison) -> str:
    """Return the first fault named that the control does not have too."""
    own = {cause for _, control in comparison.pairs for cause in control.diagnosis.causes}
    return next((cause for cause in comparison.causes() if cause not in own), "")


def _verdict(comparison: Comparison) -> str:
    """Say in a sentence or two what came of one experiment."""
    experiment, figures = comparison.experiment, frame([comparison]).iloc[0]
    title = experiment.story.title if experiment.story else "The control"
    if not comparison.pairs:
        return f"**{title}**, on {experiment.baseline}: no result. {promise(comparison)}."
    names = ", ".join(f"*{spoken(check)}*" for check in comparison.fired())
    causes = ", ".join(f"**{cause}**" for cause in comparison.causes()[:3])
    score = f"{figures['metric']} {number(figures['control'])}"
    if experiment.story:
        score += f" → {number(figures['broken'])}, difference {interval(comparison.difference)}"
    found = f"Noticed by {names}; diagnosis: {causes}." if names else "No check failed."
    found = found if comparison.pairs[0][0].diagnosis.findings else SECRET
    kept = "" if comparison.kept else f" **Not as promised:** {promise(comparison)}."
    return f"**{title}**, on {experiment.baseline}: {score}. {found}{kept}"


def _summary(report: Report) -> str:
    baselines = {c.experiment.baseline for c in report.comparisons} | {r.baseline for r in report.refusals}
    several = len(baselines) > 1
    columns = [
        *(["recipe"] if several else []),
        "breakage",
        "variable",
        "score, control → broken",
        "difference (95 % interval)",
        "noticed by",
        "promise",
    ]
    rows = [*(_summary_row(c) for c in report.comparisons), *map(_refusal_row, report.refusals)]
    summary = table(columns, [row if several else row[1:] for row in rows])
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
    return "\n\n".join([summary, *notes])


def _summary_row(comparison: Comparison) -> list[str]:
    experiment, figures = comparison.experiment, frame([comparison]).iloc[0]
    changed = ", ".join(f"`{change}`" for change in experiment.changes)
    if experiment.confounded:
        changed = f"**confounded:** {changed}"
    scores = [number(figures["control"]), *([number(figures["broken"])] if experiment.story else [])]
    return [
        experiment.baseline,
        f"[{experiment.name}](#{anchor(_heading(experiment))})",
        changed,
        unbroken(f"{figures['metric']} {' → '.join(scores)}") if comparison.pairs else "",
        _difference(comparison.difference),
        (", ".join(map(spoken, comparison.fired())) or _nothing(comparison)) if comparison.pairs else "",
        promise(comparison),
    ]


def _nothing(comparison: Comparison) -> str:
    return "none" if comparison.pairs[0][0].diagnosis.findings else "a secret"


def _difference(difference: Difference | None) -> str:
    """Return a difference, and where it may be none also what would probably have been seen."""
    unseen = difference is not None and not difference.seen and not math.isnan(difference.mean)
    could = f"<br>could show {room(difference)}" if difference and unseen else ""
    return unbroken(interval(difference) + could)


def _refusal_row(refusal: Refusal) -> list[str]:
    return [refusal.baseline, refusal.name, "", "", "", "", f"not run: {refusal.reason}"]


def _heading(experiment: Experiment) -> str:
    return f"{experiment.name} on {experiment.baseline}"


def _section(comparison: Comparison, p_holm: float, told: bool) -> str:
    """Return all about one experiment; `told` where the report's first sentence is its verdict already."""
    experiment = comparison.experiment
    parts = [f"## {_heading(experiment)}", "" if told else _verdict(comparison), _told(experiment)]
    if comparison.pairs:
        parts += [
            variable(experiment),
            costs(comparison),
            _how_sure(comparison, p_holm),
            _answers(comparison),
            curves(comparison, "figures"),
            samples(comparison),
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
        f"- *Symptom:* {story.symptom}",
        f"- *Looks like:* {story.looks_like}",
        f"- *Is:* {story.cause}",
        f"- *Found by:* {story.found_by}",
        f"- *Fix:* {story.fix}",
        f"- *Source:* {story.source}",
    ]
    if story.blind_spot:
        lines.append(f"- *Blind spot:* {story.blind_spot}")
    return "\n".join(lines)


def _how_sure(comparison: Comparison, p_holm: float) -> str:
    difference = comparison.difference
    if difference is None or math.isnan(difference.mean):
        return ""
    metric = comparison.pairs[0][1].scores.metric
    return f"{metric}: **{verdict(difference)}**; {sureness(difference, p_holm)}."


def _answers(comparison: Comparison) -> str:
    broken, control = comparison.pairs[0]
    if not broken.diagnosis.findings:
        return SECRET
    runs = [control] if comparison.experiment.story is None else [control, broken]
    names = ["control", comparison.experiment.name][: len(runs)]
    short, long = [], []
    for question, asked in ASKED.items():
        found = [run.diagnosis.of_question(question) for run in runs]
        short.append([asked, *map(_answer, found)])
        long += [
            [spoken(same[0].check), *(f"{SIGNS[f.verdict]} {in_words(f)}" for f in same)]
            for same in zip(*found, strict=True)
        ]
    causes = ", ".join(f"**{cause}**" for cause in broken.diagnosis.causes[:3]) or "nothing wrong was found"
    seed = f" at seed {control.run.seed}" if len(comparison.pairs) > 1 else ""
    parts = [
        f"The five questions{seed}; diagnosis: {causes}.",
        table(["question", *names], short),
        "\n".join(noticed(comparison)),
        "<details><summary>Every check, with what it measured</summary>",
        table(["check", *names], long),
        "</details>",
    ]
    return "\n\n".join(part for part in parts if part)


def _answer(found: Sequence[Finding]) -> str:
    """Answer one question: the checks that failed or raised, or how many passed."""
    wrong = [f for f in found if f.verdict in (Verdict.FAIL, Verdict.ERROR)]
    if wrong:
        return ", ".join(f"{SIGNS[f.verdict]} {spoken(f.check)}" for f in wrong)
    passed = sum(f.verdict is Verdict.PASS for f in found)
    count = f"{passed} check{'s' if passed > 1 else ''}"
    return f"{SIGNS[Verdict.PASS]} {count}" if passed else f"{SIGNS[Verdict.SKIP]} could not be asked"


def _notes(result: Result) -> str:
    notes = [*result.notes]
    if result.scores.signature:
        notes.append(f"{result.scores.metric} signature: `{result.scores.signature}`")
    return "\n".join(f"- {note}" for note in notes)


def _environment(report: Report) -> str:
    rows = {"seeds": ", ".join(map(str, report.seeds)), **report.environment.rows()}
    return "\n".join(["## Environment", "", *(f"- *{name}:* {value}" for name, value in rows.items())])
