"""The pages of `docs/`, written from runs, YAML and code: `python -m diagkit.docs`.

`--check` makes every page afresh, writes nothing, and compares with what is there (`diagkit/stale.py`).
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from omegaconf import DictConfig

from diagkit import detection, guide, passages, processes, sources, store
from diagkit.comparison import Comparison
from diagkit.compose import Experiment
from diagkit.markdown import anchor, table
from diagkit.mistake import Mistake
from diagkit.paired import Difference
from diagkit.stale import Block, Kind, Page, stale, text_of
from diagkit.story import ASKED, QUESTIONS, Story, read
from diagkit.wording import could_show, interval

SEEDS = (0, 1, 2)
NOTICE = "<!-- Written by `python -m diagkit.docs`: change breakages/*.yaml or the code, not this page. -->"
STALE, MISTAKE, INTERRUPTED = 1, 2, 130


def when_it_fails(comparisons: Sequence[Comparison]) -> Page:
    """Tell every failure with the figures of its own runs.

    Args:
        comparisons: one per breakage, in the order of the five questions.
    """
    told = [(c, c.experiment.story) for c in comparisons if not c.experiment.part_of]
    stories = [(comparison, story) for comparison, story in told if story]
    alone = [c for c in comparisons if c.experiment.part_of]
    page = [
        Block(NOTICE),
        Block("# When it fails"),
        Block(
            "Every failure on this page was planted: one variable of a healthy training was changed, and the broken "
            "run was trained beside its healthy *control*, with the same seeds. Look for what you see in the first "
            "column and read across what it was; the link leads to its story, with the figures of its own runs and the "
            "command that repeats them. The order is that of five questions: a failure in one makes all below it "
            "meaningless."
        ),
        Block(symptoms([story for _, story in stories])),
        Block(
            f"*How to read the figures:* a mean over the seeds {', '.join(map(str, SEEDS))} has in round brackets the "
            "smallest and the largest. A difference is broken minus control, paired by seed, with its 95 % interval "
            "(Student's) in square brackets; where that includes zero, it may be chance. Losses are in nats."
        ),
    ]
    for number, question in enumerate(QUESTIONS, 1):
        here = [(comparison, story) for comparison, story in stories if story.question == question]
        page += [Block(f"## {number}. {ASKED[question]}")] if here else []
        for comparison, story in here:
            parts = [c for c in alone if c.experiment.part_of == story.name]
            page += failure(comparison, story, parts)
    return [*page, Block(_made_with(comparisons), Kind.FREE)]


def symptoms(stories: Sequence[Story]) -> str:
    """Return the table to look a failure up in, one row a story."""
    rows = [
        [story.symptom, story.looks_like, f"[{story.title}](#{anchor(story.title)})", story.found_by]
        for story in stories
    ]
    return table(["symptom", "looked like", "was", "found by"], rows)


def failure(comparison: Comparison, story: Story, parts: Sequence[Comparison] = ()) -> Page:
    """Tell one failure; `parts` are the variables alone of one that is confounded."""
    experiment = comparison.experiment
    page = [
        Block(f"### {story.title}"),
        Block(f"`{story.name}` on the recipe `{experiment.baseline}`."),
        Block(f"**What one sees.** {story.symptom}"),
        Block(f"**What it looks like.** {story.looks_like}"),
        Block(f"**What it is.** {story.cause}"),
        Block(f"**How it was found.** {story.found_by}"),
        *(_figures(comparison) if comparison.pairs else _raised(comparison)),
        Block(f"**Blind spot.** {story.blind_spot}" if story.blind_spot else ""),
        Block(passages.variable(experiment)),
        *(_parts(comparison, parts) if parts else []),
        Block(f"**The fix.** {story.fix}"),
        Block(f"**Where it comes from.** {story.source}."),
        Block(f"**Repeat it.**\n\n```\n{passages.command(comparison)}\n```"),
    ]
    return [block for block in page if block.text]


def _figures(comparison: Comparison) -> Page:
    noticed = passages.noticed(comparison)
    return [
        Block("\n".join([*noticed, f"- All {'other ' if noticed else ''}checks stay silent."]), Kind.MEASURED),
        Block(passages.costs(comparison), Kind.MEASURED),
        Block(score_shows(comparison.difference), Kind.FREE),
        Block(passages.curves(comparison, "figures")),
        Block(passages.samples(comparison), Kind.FREE),
    ]


def _raised(comparison: Comparison) -> Page:
    reasons = dict.fromkeys(outcome.reason for outcome in comparison.crashes)
    return [Block("\n".join(f"- ❌ the run raised {reason}" for reason in reasons))]


def _parts(whole: Comparison, parts: Sequence[Comparison]) -> Page:
    metric = whole.pairs[0][1].scores.metric
    rows = [
        [" and ".join(f"`{change}`" for change in c.experiment.changes), passages.unbroken(interval(c.difference))]
        for c in (whole, *parts)
    ]
    return [
        Block(
            "**Refused, then allowed.** Without `allow_confounded=true` it is not run; with it, each of its variables "
            "alone stands beside it:"
        ),
        Block(table(["changed", f"{metric}, difference (95 % interval)"], rows), Kind.MEASURED),
    ]


def score_shows(difference: Difference | None) -> str:
    """Say whether the score alone would have told.

    >>> score_shows(Difference(-0.2, -1.0, 0.7, "seeds", 3, 1.06))
    '**The score does not show it:** the interval of its difference includes zero; 3 seeds could have shown 1.06.'
    """
    if difference is None:
        return ""
    if difference.low <= 0 <= difference.high:
        could = could_show(difference)
        return f"**The score does not show it:** the interval of its difference includes zero; {could}."
    if difference.low > 0:
        return "**The score looks better than the control's.**"
    return "The score shows that something is wrong: the interval of its difference excludes zero."


def _made_with(comparisons: Sequence[Comparison]) -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("diagkit", "torch", "sacrebleu"))
    scores = [control.scores for comparison in comparisons for _, control in comparison.pairs]
    signatures = dict.fromkeys(f"; {its.metric} is `{its.signature}`" for its in scores if its.signature)
    return f"*Made with {packages}{''.join(signatures)}.*"


def breakages(experiments: Sequence[Experiment]) -> Page:
    """List every breakage with its variable on each recipe it was tried on.

    Args:
        experiments: of a breakage on a recipe, breakages in the order of the five questions.
    """
    variables: dict[str, dict[str, list[str]]] = {}
    stories: dict[str, Story] = {}
    for experiment in experiments:
        if experiment.story and not experiment.part_of:
            stories[experiment.name] = experiment.story
            changes = ", ".join(f"`{change}`" for change in experiment.changes)
            variables.setdefault(experiment.name, {}).setdefault(changes, []).append(experiment.baseline)
    rows = [
        [
            f"[{name}](when-it-fails.md#{anchor(story.title)})",
            story.title,
            "<br>".join(f"{changes} ({', '.join(recipes)})" for changes, recipes in variables[name].items()),
            f"`{story.fault}`",
            f"{QUESTIONS.index(story.question) + 1}. {ASKED[story.question]}",
        ]
        for name, story in stories.items()
    ]
    columns = ["breakage", "title", "variable (recipes)", "fault", "question"]
    how = "Plant one with `python -m diagkit +breakage=NAME`, on another recipe with `recipe=NAME`."
    return [Block(NOTICE), Block("# Breakages"), Block(how), Block(table(columns, rows))]


# The command


Planned = dict[tuple[str, str], Experiment]  # by breakage and recipe


def planned() -> tuple[Planned, DictConfig]:
    """Compose every breakage on every recipe it names, in the order of the five questions; and a config.

    One that is confounded is followed by each of its variables alone.
    """
    from diagkit.api import experiments

    stories = [read(name, file) for name, file in sources.names("breakage").items()]
    stories.sort(key=lambda story: QUESTIONS.index(story.question))
    found: list[tuple[Experiment, str]] = []
    for recipe, *needs in dict.fromkeys((recipe, *story.needs) for story in stories for recipe in story.recipes):
        names = [story.name for story in stories if recipe in story.recipes and story.needs == needs]
        composed, config = experiments(recipe, names, needs)
        found += [(experiment, recipe) for experiment in composed]
    return {
        (experiment.name, recipe): experiment
        for story in stories
        for recipe in story.recipes
        for experiment, its in found
        if its == recipe and story.name in (experiment.name, experiment.part_of)
    }, config


def run(experiments: Sequence[Experiment], config: DictConfig) -> list[Comparison]:
    """Run what is not stored yet and compare; a report with all answers goes to `outputs/docs`.

    Raises:
        Mistake: a run has no result, so that its story cannot be told.
    """
    from diagkit.session import Session, conduct

    ending = conduct(Session(experiments, [], SEEDS, config.jobs, Path(config.store), Path("outputs/docs")))
    lost = [f"{its.run.label} {its.status}: {its.reason}" for c in ending.comparisons for its in c.outcomes]
    lost += [f"{refusal.name} on {refusal.baseline} is not run: {refusal.reason}" for refusal in ending.refusals]
    if lost:
        raise Mistake(f"the pages need every run: {'; '.join(lost)}")
    return list(ending.comparisons)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command: 0, or 1 for a stale page or a broken promise, 2 a mistake, 130 interrupted."""
    parser = argparse.ArgumentParser("python -m diagkit.docs", description="Write the pages of docs/ from runs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a page is stale")
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="where the pages are; docs by default")
    options = parser.parse_args(argv)
    from diagkit.session import Interrupted

    try:
        return _main(options.folder, options.check)
    except Interrupted as how_much:
        return _say(str(how_much), INTERRUPTED)
    except Mistake as mistake:
        return _say(str(mistake), MISTAKE)


def _main(folder: Path, check: bool) -> int:
    processes.context(sources.names("recipe"))
    every, config = planned()
    first = list({name: experiment for (name, _), experiment in reversed(every.items())}.values())[::-1]
    seeds = ", ".join(map(str, SEEDS))
    count = sum(not experiment.part_of for experiment in first)
    _say(f"{count} breakages and their controls at seeds {seeds}; what is stored is not trained again")
    comparisons = run(first, config)
    stories = [story for experiment in first if (story := experiment.story) and not experiment.part_of]
    pages = {
        "index.md": guide.home(NOTICE, stories),
        "when-it-fails.md": when_it_fails(comparisons),
        "breakages.md": breakages(list(every.values())),
        "detection.md": [Block(NOTICE), *(Block(text, Kind.FREE) for text in detection.page(comparisons))],
        "procedure.md": guide.procedure(NOTICE),
        "faults.md": guide.faults(NOTICE),
        **guide.check_pages(NOTICE, stories),
    }
    if check:
        problems = [problem for name, page in pages.items() if (problem := stale(folder / name, page))]
    else:
        write(folder, pages, comparisons)
        problems = [f"{c.experiment.name} broke its promise: {line}" for c in comparisons for line in c.broken_promises]
    for problem in problems:
        _say(problem)
    if not problems:
        print("\n".join(f"{folder / name}{' agrees with code, YAML and runs' if check else ''}" for name in pages))
    return STALE if problems else 0


def write(folder: Path, pages: dict[str, Page], comparisons: Sequence[Comparison]) -> None:
    """Write the pages and their figures."""
    from diagkit.figures import apart, loss_curves

    for comparison in comparisons:
        if comparison.pairs and not comparison.experiment.part_of:
            place = folder / "figures" / f"{passages.slug(comparison.experiment)}.svg"
            store.write(place, loss_curves(comparison))
    healthy, faulty = guide.values("healthy"), guide.values("faulty")
    for check, its in healthy.items():
        store.write(guide.written(folder, check), apart(its, faulty.get(check, ())))
    for name, page in pages.items():
        store.write(folder / name, text_of(page).encode())


def _say(text: str, status: int = 0) -> int:
    print(text, file=sys.stderr)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
