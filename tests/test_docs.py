"""The pages of `docs/`: what they say, and what `--check` lets pass."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from diagkit import docs, sources
from diagkit.api import experiments
from diagkit.comparison import Comparison, Result
from diagkit.compose import Experiment
from diagkit.diagnosis import Diagnosis
from diagkit.evidence.training import History, Scores
from diagkit.figures import loss_curves
from diagkit.finding import Finding, at_least
from diagkit.markdown import anchor
from diagkit.paired import over_seeds
from diagkit.plan import Run
from diagkit.stages import Keys
from diagkit.stale import Block, Kind, disagreement, stale, text_of
from diagkit.story import ASKED, read


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return experiments("digits", ["zero_lr"])[0][0]


def _result(label: str, seed: int, score: float, findings: tuple[Finding, ...] = ()) -> Result:
    keys = Keys(*[f"{label} {seed}"] * 5)
    outputs = ["3", "7"] if score > 0.5 else ["3", "1"]
    history = History([2.0, 1.0, 0.5, 0.1], [0.1] * 4, 0.1, [2, 4], [1.0, 0.2])
    scores = Scores("accuracy", score, 0.2, {}, "", [[1.0]], outputs, ["3", "7"], ["first", "second"])
    return Result(Run(label, {}, seed, keys, ()), history, scores, Diagnosis(findings, ()), ())


def _comparison(experiment: Experiment, shift: float = 0.0) -> Comparison:
    """Return what three trained seeds would give, every score of the broken run moved by `shift`."""
    pairs = []
    for seed in docs.SEEDS:
        drop = at_least(0.001 * seed + shift / 100, 0.05, what="training loss fell by")
        noticed = replace(drop, check="learning/loss_goes_down")
        pairs.append((_result("broken", seed, 0.1 + 0.01 * seed + shift, (noticed,)), _result("control", seed, 0.98)))
    difference = over_seeds([broken.scores.value - control.scores.value for broken, control in pairs])
    return Comparison(experiment, tuple(pairs), difference, (), ())


def test_a_story_has_its_row_its_section_and_the_figures_of_its_runs(experiment: Experiment) -> None:
    text = text_of(docs.when_it_fails([_comparison(experiment)]))
    story = experiment.story
    assert story
    row = f"| {story.symptom} | {story.looks_like} | [{story.title}](#the-learning-rate-is-zero) | {story.found_by} |"
    assert row in text
    parts = [
        "## 2. Is the model learning anything?",
        f"### {story.title}",
        story.cause,
        "- ❌ *loss goes down*: training loss fell by 0 < 0.05; on 3 of 3 seeds; measured 0 to 0.002",
        "| accuracy | 0.980 | 0.110 (0.100 to 0.120) | −0.870 [−0.895, −0.845] |",
        "![Loss of control and broken run](figures/digits-zero_lr.svg)",
        "| second | 7 | ✓ | **1** |",
        "- optimizer.lr: 0.002\n+ optimizer.lr: 0.0",
        story.fix,
        "python -m diagkit recipe=digits +breakage=zero_lr 'seeds=[0,1,2]'",
    ]
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    places = [plain.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_breakages_are_listed_with_their_variable_on_each_recipe(experiment: Experiment) -> None:
    text = text_of(docs.breakages([experiment, replace(experiment, baseline="other")]))
    assert "[zero_lr](when-it-fails.md#the-learning-rate-is-zero)" in text
    assert "`optimizer.lr: 0.002 → 0.0` (digits, other)" in text


def test_titles_give_links_that_lead_to_one_place() -> None:
    stories = [read(name, file) for name, file in sources.names("breakage").items()]
    headings = [story.title for story in stories] + [f"{n}. {asked}" for n, asked in enumerate(ASKED.values(), 1)]
    anchors = [anchor(heading) for heading in headings]
    assert len(set(anchors)) == len(anchors)


def test_a_page_agrees_with_itself_and_with_runs_that_differ_a_little(experiment: Experiment) -> None:
    written = text_of(docs.when_it_fails([_comparison(experiment)]))
    assert disagreement(written, docs.when_it_fails([_comparison(experiment)])) == ""
    assert disagreement(written, docs.when_it_fails([_comparison(experiment, 0.02)])) == ""


def test_a_page_disagrees_with_runs_that_differ_much(experiment: Experiment) -> None:
    written = text_of(docs.when_it_fails([_comparison(experiment)]))
    problem = disagreement(written, docs.when_it_fails([_comparison(experiment, 0.4)]))
    assert re.match(r"line \d+ says .* where runs now give .*", problem)


def test_a_changed_story_is_noticed(experiment: Experiment) -> None:
    comparison = _comparison(experiment)
    written = text_of(docs.when_it_fails([comparison]))
    assert experiment.story
    retold = replace(experiment, story=replace(experiment.story, fix="Set the rate to 0.02."))
    problem = disagreement(written, docs.when_it_fails([replace(comparison, experiment=retold)]))
    assert "Set the rate to 0.02." in problem


@pytest.mark.parametrize(
    ("old", "new", "agree"),
    [
        ("BLEU 94.5 (93.2 to 96.3)", "BLEU 93.0 (92.9 to 93.1)", True),
        ("loss 0.014 (0.012 to 0.016)", "loss 0.031 (0.015 to 0.050)", True),  # the ranges overlap
        ("loss 0.014 (0.012 to 0.016)", "loss 0.031 (0.028 to 0.035)", False),
        ("−5.2 [−8.5, −1.9]", "−1.0 [−2.0, −0.1]", True),
        ("−5.2 [−8.5, −1.9]", "+5.2 [+1.9, +8.5]", False),
        ("gap 1.30 > 0.3", "gap 1.10 > 0.3", True),
        ("gap 1.30 > 0.3", "gap 1.30 > 0.4", False),  # a threshold
        ("on 3 of 3 seeds", "on 2 of 3 seeds", False),  # a count
        ("gap 1 > 0.3", "gap 0.98 > 0.3", True),  # measured, although it is written as a whole number
        ("loss fell by 0 < 0.05", "loss fell by 0.0002 < 0.05", True),
        ("126 > 100", "131 > 100", True),
        ("gap 1.30", "drop 1.30", False),
        ("spread 2.5e-07", "spread 2.6e-07", True),
        ("spread 2.5e-07", "spread 2.6e-03", False),
    ],
)
def test_figures_of_runs_have_room_and_words_have_none(old: str, new: str, agree: bool) -> None:
    assert (disagreement(old + "\n", [Block(new, Kind.MEASURED)]) == "") is agree


def test_only_figures_of_runs_have_room() -> None:
    assert disagreement("lr 0.10\n", [Block("lr 0.11")])
    assert disagreement("anything\n", [Block("Rosa ve 50 gatos", Kind.FREE)]) == ""
    assert disagreement("\n", [Block("Rosa ve 50 gatos", Kind.FREE)])


def test_a_page_with_lines_too_few_or_too_many_is_noticed() -> None:
    page = [Block("one"), Block("two")]
    assert disagreement("one\n", page) == "has fewer lines than it should, from line 3 on"
    assert disagreement("one\n\ntwo\n\nthree\n", page) == "has more lines than it should, from line 5 on"


def test_a_stale_page_is_named_with_what_to_do(tmp_path: Path) -> None:
    page, file = [Block("![curve](figures/a.svg)")], tmp_path / "page.md"
    assert stale(file, page) == f"{file} is missing: run `python -m diagkit.docs`"
    file.write_text(text_of(page))
    assert stale(file, page) == f"{file} shows figures/a.svg, which is missing: run `python -m diagkit.docs`"
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "a.svg").touch()
    assert stale(file, page) == ""
    assert stale(file, [*page, Block("more")]).startswith(f"{file} is stale: has fewer lines")


def test_writing_twice_gives_the_same_bytes(experiment: Experiment, tmp_path: Path) -> None:
    comparison = _comparison(experiment)
    page = docs.when_it_fails([comparison])
    docs.write(tmp_path, {"page.md": page}, [comparison])
    assert stale(tmp_path / "page.md", page) == ""
    assert (tmp_path / "figures" / "digits-zero_lr.svg").read_bytes() == loss_curves(comparison)
