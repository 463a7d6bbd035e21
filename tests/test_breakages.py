"""Every breakage: its story is complete, it changes one variable, and its promise holds."""

from pathlib import Path

import pytest

from diagkit.api import experiments
from diagkit.judge import checks
from diagkit.mistake import Refused
from diagkit.plan import pairs
from diagkit.probes import probe_names
from diagkit.session import Session, conduct
from diagkit.sources import builtin_root, names
from diagkit.story import Story, read

ROOT = builtin_root()
BREAKAGES = sorted(file.stem for file in (ROOT / "breakages").glob("*.yaml"))
SEEDS = [0, 1, 2]


def story(name: str) -> Story:
    """Read a breakage's story from its file."""
    return read(name, ROOT / "breakages" / f"{name}.yaml")


def tried() -> list[tuple[str, str]]:
    """Return every breakage with every recipe it says it was tried on."""
    return [(name, recipe) for name in BREAKAGES for recipe in story(name).recipes]


PAIRS = tried()


@pytest.mark.parametrize("name", BREAKAGES)
def test_only_yaml_files_of_the_group_are_there(name: str) -> None:
    assert name in names("breakage")
    assert not list((ROOT / "breakages").glob("*.yml")), "Hydra ignores .yml files without a word"


@pytest.mark.parametrize(("name", "recipe"), PAIRS)
def test_it_changes_exactly_one_variable(name: str, recipe: str) -> None:
    (experiment, *alone), _ = experiments(recipe, [name], story(name).needs)
    assert all(len(its.changes) == 1 for its in alone or [experiment])


def test_a_confounded_breakage_is_refused_or_shown_beside_its_variables() -> None:
    with pytest.raises(Refused, match="changes 2 variables"):
        experiments("translation", ["confounded_corpus"])
    (whole, *alone), _ = experiments("translation", ["confounded_corpus"], ["allow_confounded=true"])
    assert whole.confounded
    assert [change for its in alone for change in its.changes] == list(whole.changes)
    for its in alone:
        (change,) = its.changes
        assert its.settings == whole.control_settings | {change.leaf: change.after}
        assert its.part_of == whole.name


@pytest.mark.parametrize("name", BREAKAGES)
def test_the_checks_it_promises_exist(name: str) -> None:
    told = story(name)
    assert set(told.expect.fail) | set(told.expect.silent) <= set(checks())
    assert not set(told.expect.fail) & set(told.expect.silent)
    assert told.expect.fail or told.expect.raises or told.blind_spot


TOLD = [(name, story(name).recipes[0]) for name in BREAKAGES]  # what docs/when-it-fails.md is made of
OTHERS = [pair for pair in PAIRS if pair not in TOLD]


@pytest.mark.parametrize(
    ("name", "recipe"),
    [pytest.param(*pair, marks=pytest.mark.slow) for pair in TOLD]
    + [pytest.param(*pair, marks=pytest.mark.sweep) for pair in OTHERS],
)
def test_the_promise_holds_on_three_seeds(name: str, recipe: str, tmp_path: Path) -> None:
    asked, _ = experiments(recipe, [name], story(name).needs)
    ending = conduct(Session(asked[:1], [], SEEDS, 2, ROOT / "outputs" / "store", tmp_path))
    (comparison,) = ending.comparisons
    assert comparison.broken_promises == ()
    assert comparison.outcomes == ()
    told = story(name)
    if told.expect.raises:
        assert len(comparison.crashes) == len(SEEDS)
        assert comparison.causes() == [told.fault]
        return
    assert len(comparison.pairs) == len(SEEDS)
    named = [told.fault in broken.diagnosis.causes[:3] for broken, _ in comparison.pairs]
    assert not any(named) if told.blind_spot else all(named)


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
    asked, _ = experiments(recipe, [name], story(name).needs)
    (pair,) = pairs(asked[:1], [0])
    needed = {evidence for check in asked[0].expect.fail for evidence in checks()[check].evidence}
    assert needed & set(probe_names()) <= set(pair.broken.probes)
    assert pair.broken.probes == pair.control.probes
