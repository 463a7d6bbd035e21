"""A drill: `+breakage=mystery mystery=3` plants a breakage without saying which, until `reveal=true`."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from diagkit import sources
from diagkit.comparison import Comparison, Result
from diagkit.compose import BREAKAGE, Experiment
from diagkit.diagnosis import Diagnosis
from diagkit.mistake import Mistake
from diagkit.story import Expect, Story, read

NAME = "mystery"
UNTOLD = "Find out: look at the figures, curves and outputs below, ask the five questions, then add `reveal=true`."
SECRET = "What the checks say is a secret until `reveal=true`."
STORY = Story(
    name=NAME,
    title="A mystery",
    fault="",
    question="data",
    symptom=UNTOLD,
    looks_like="A secret.",
    cause="A secret.",
    found_by="You.",
    fix="A secret.",
    expect=Expect(),
    recipes=(),
    source="`python -m diagkit +breakage=mystery mystery=N reveal=true` tells.",
)


def drawn(words: Sequence[str]) -> tuple[list[str], bool]:
    """Put a breakage that its recipe can show in the place of the mystery.

    Returns:
        The words of the command line, and whether the secret is to be kept.

    Raises:
        Mistake: no breakage was tried on this recipe.
    """
    if f"{BREAKAGE}{NAME}" not in words:
        return list(words), False
    settings = dict(word.partition("=")[::2] for word in words)
    if not settings.get(NAME, "0").isdigit():
        raise Mistake(f"mystery must be one whole number such as mystery=3, got {settings[NAME]}")
    recipe = settings.get("recipe", "translation")
    stories = [read(name, file) for name, file in sources.names("breakage").items()]
    choices = [story.name for story in stories if recipe in story.recipes and story.expect.fail]
    if not choices:
        raise Mistake(f"no breakage was tried on the recipe {recipe}, so there is none to draw")
    chosen = random.Random(f"{recipe} {settings.get(NAME, '0')}").choice(sorted(choices))
    its = [f"{BREAKAGE}{chosen}" if word == f"{BREAKAGE}{NAME}" else word for word in words]
    return its, settings.get("reveal", "false").lower() != "true"


def untold(experiment: Experiment, number: int) -> Experiment:
    """Return an experiment that does not say what was changed."""
    if not experiment.story:
        return experiment
    words = [f"{BREAKAGE}{NAME}" if o.startswith(BREAKAGE) else o for o in experiment.overrides]
    return replace(experiment, story=STORY, changes=(), derived=(), overrides=(*words, f"{NAME}={number}"))


def silent(comparison: Comparison) -> Comparison:
    """Return a comparison that does not say what the checks found."""
    if comparison.experiment.name != NAME:
        return comparison
    config = comparison.experiment.control
    pairs = tuple((_silent(broken, config), _silent(control, config)) for broken, control in comparison.pairs)
    experiment = comparison.experiment
    secret = replace(experiment, config=config, settings=experiment.control_settings)
    return replace(comparison, experiment=secret, pairs=pairs, broken_promises=())


def _silent(result: Result, config: Mapping[str, Any]) -> Result:
    return replace(result, run=replace(result.run, config=config), diagnosis=Diagnosis((), ()))
