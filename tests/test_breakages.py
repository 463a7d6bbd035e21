"""Every breakage: its story is complete, it changes one variable, and its promise holds."""

from pathlib import Path

import pytest

from diagkit.api import experiments
from diagkit.judge import checks
from diagkit.plan import pairs
from diagkit.probes import probe_names
from diagkit.session import Session, conduct
from diagkit.sources import builtin_root, names

ROOT = builtin_root()
BREAKAGES = sorted(file.stem for file in (ROOT / "breakages").glob("*.yaml"))
SEEDS = [0, 1, 2]


def tried() -> list[tuple[str, str]]:
    """Return every breakage with every recipe it says it was tried on."""
    return [(name, recipe) for name in BREAKAGES for recipe in experiments("translation", [name])[0][0].story.recipes]


PAIRS = tried()


@pytest.mark.parametrize("name", BREAKAGES)
def test_only_yaml_files_of_the_group_are_there(name: str) -> None:
    assert name in names("breakage")
    assert not list((ROOT / "breakages").glob("*.yml")), "Hydra ignores .yml files without a word"


@pytest.mark.parametrize(("name", "recipe"), PAIRS)
def test_it_changes_exactly_one_variable(name: str, recipe: str) -> None:
    (experiment,), _ = experiments(recipe, [name])
    assert len(experiment.changes) == 1


@pytest.mark.parametrize("name", BREAKAGES)
def test_the_checks_it_promises_exist(name: str) -> None:
    story = experiments("translation", [name])[0][0].story
    assert story is not None
    assert set(story.expect.fail) | set(story.expect.silent) <= set(checks())
    assert not set(story.expect.fail) & set(story.expect.silent)
    assert story.expect.fail or story.expect.raises or story.blind_spot


@pytest.mark.slow
@pytest.mark.parametrize(("name", "recipe"), PAIRS)
def test_the_promise_holds_on_three_seeds(name: str, recipe: str, tmp_path: Path) -> None:
    asked, _ = experiments(recipe, [name])
    ending = conduct(Session(asked, [], SEEDS, 2, ROOT / "outputs" / "store", tmp_path))
    (comparison,) = ending.comparisons
    assert comparison.broken_promises == ()
    assert comparison.outcomes == ()
    story = asked[0].story
    if story.expect.raises:
        assert len(comparison.crashes) == len(SEEDS)
        assert comparison.causes() == [story.fault]
        return
    assert len(comparison.pairs) == len(SEEDS)
    named = [story.fault in broken.diagnosis.causes[:3] for broken, _ in comparison.pairs]
    assert not any(named) if story.blind_spot else all(named)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["translation", "digits", "forecast"])
def test_the_control_is_healthy_on_three_seeds(recipe: str, tmp_path: Path) -> None:
    asked, _ = experiments(recipe, [])
    (comparison,) = conduct(Session(asked, [], SEEDS, 2, ROOT / "outputs" / "store", tmp_path)).comparisons
    assert comparison.broken_promises == ()
    for broken, _ in comparison.pairs:
        assert broken.diagnosis.causes == ()
        if recipe == "translation":
            assert broken.scores.val_loss <= 0.03
            assert broken.scores.extra["exact_match"] >= 0.95


@pytest.mark.parametrize("name", BREAKAGES)
def test_what_it_promises_is_asked_of_both_runs(name: str) -> None:
    recipe = dict(PAIRS)[name]
    asked, _ = experiments(recipe, [name])
    (pair,) = pairs(asked, [0])
    needed = {evidence for check in asked[0].expect.fail for evidence in checks()[check].evidence}
    assert needed & set(probe_names()) <= set(pair.broken.probes)
    assert pair.broken.probes == pair.control.probes
