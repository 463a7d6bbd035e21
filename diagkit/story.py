"""The story a breakage tells about itself: the `breakage:` section of its YAML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from diagkit import sources
from diagkit.faults import fault_names
from diagkit.mistake import Mistake, nearest

REQUIRED = (
    "title",
    "fault",
    "question",
    "symptom",
    "looks_like",
    "is",
    "found_by",
    "fix",
    "expect",
    "recipes",
    "source",
)
OPTIONAL = ("blind_spot",)
ASKED = {
    "data": "Is the data what you think it is?",
    "learning": "Is the model learning anything?",
    "wrong_thing": "Is it learning the wrong thing?",
    "measurement": "Is the measurement lying?",
    "environment": "Is it the environment?",
}
QUESTIONS = tuple(ASKED)


@dataclass(frozen=True)
class Expect:
    """What a breakage promises: checks that must fail, checks that must stay silent, and what its runs must raise."""

    fail: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    raises: str = ""  # part of the message; empty where the runs end well

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> "Expect":
        """Read `{fail: [...], pass: [...], raises: "..."}`; what is absent is empty."""
        return cls(tuple(raw.get("fail") or ()), tuple(raw.get("pass") or ()), str(raw.get("raises") or ""))


@dataclass(frozen=True)
class Story:
    """What a breakage is, how it looks and how it is found; each text is one or two plain sentences."""

    name: str
    title: str
    fault: str  # a name of faults.yaml
    question: str  # one of QUESTIONS: the first that should notice
    symptom: str
    looks_like: str
    cause: str
    found_by: str
    fix: str
    expect: Expect
    recipes: tuple[str, ...]  # on which the promise was tried, each with the settings that it takes to bite
    source: str
    blind_spot: str = ""  # why no check sees it, where none does

    @property
    def needs(self) -> list[str]:
        """The setting without which it is refused: one that shows a confounded comparison changes two variables."""
        return ["allow_confounded=true"] if self.fault == "confounded_comparison" else []


def parse(name: str, raw: Mapping[str, Any]) -> Story:
    """Read the `breakage:` section of `breakages/<name>.yaml`.

    Raises:
        Mistake: a field is missing, unknown or names no fault or question there is.
    """
    where = f"breakages/{name}.yaml"
    for key in REQUIRED:
        if not raw.get(key):
            raise Mistake(
                f"{where} lacks the field breakage.{key}; copy the nearest breakage and fill in all of its fields"
            )
    for key in raw:
        if key not in REQUIRED + OPTIONAL:
            raise Mistake(f"{where} has an unknown field breakage.{key}: {nearest(str(key), REQUIRED + OPTIONAL)}")
    if raw["fault"] not in fault_names():
        raise Mistake(f"{where} names the fault {raw['fault']!r}: {nearest(raw['fault'], fault_names())}")
    if raw["question"] not in QUESTIONS:
        raise Mistake(f"{where} names the question {raw['question']!r}: {nearest(raw['question'], QUESTIONS)}")
    rest = {key: str(raw[key]) for key in REQUIRED + OPTIONAL if key in raw and key not in ("is", "expect", "recipes")}
    return Story(name, cause=raw["is"], expect=Expect.parse(raw["expect"]), recipes=tuple(raw["recipes"]), **rest)


def read(name: str, file: Path) -> Story:
    """Read the story of a breakage from its file, without composing anything.

    Raises:
        Mistake: the file has no section `breakage`, or one that is wrong.
    """
    raw = OmegaConf.to_container(sources.parsed(file))
    if not isinstance(raw, dict) or not isinstance(raw.get("breakage"), dict):
        raise Mistake(f"{file} has no section breakage; copy the nearest breakage")
    return parse(name, raw["breakage"])


def joined(stories: Sequence[Story]) -> Story:
    """Return the story of several breakages at once, which promises nothing: one may hide what another shows."""
    texts = {
        field: " ".join(f"*{story.name}:* {getattr(story, field)}" for story in stories)
        for field in ("symptom", "looks_like", "cause", "found_by", "fix", "source")
    }
    return Story(
        name="+".join(story.name for story in stories),
        title=" + ".join(story.title for story in stories),
        fault=stories[0].fault,
        question=stories[0].question,
        expect=Expect(),
        recipes=(),
        **texts,
    )
