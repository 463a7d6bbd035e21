"""From the words on the command line to checked configs: a breakage beside its control, and what differs."""

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import hydra
from omegaconf import DictConfig, ListConfig, OmegaConf

from diagkit import sources
from diagkit.mistake import Mistake, Refused, nearest
from diagkit.schema import EXPERIMENT, RANGES
from diagkit.story import Expect, Story, joined, parse, read

Leaves = dict[str, Any]
Compose = Callable[[list[str]], DictConfig]

BREAKAGE = "+breakage="
PROGRAM = (
    "seeds",
    "jobs",
    "store",
    "allow_confounded",
    "deep",
    "mystery",
    "reveal",
)  # settings of the command, not of the experiment


def memoized() -> Compose:
    """Return what composes the primary config from overrides, each once: a control serves all of its breakages."""
    composed: dict[tuple[str, ...], DictConfig] = {}

    def compose(overrides: list[str]) -> DictConfig:
        key = tuple(overrides)
        if key not in composed:
            composed[key] = hydra.compose("config", overrides)
        return composed[key]

    return compose


@dataclass(frozen=True)
class Change:
    """One leaf of the config that differs from the control."""

    leaf: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.leaf}: {_shown(self.before)} → {_shown(self.after)}"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return "null" if value is None else str(value)


@dataclass(frozen=True)
class Experiment:
    """A recipe, broken or not, as composed from the command line.

    Attributes:
        baseline: the recipe and the user's other overrides, as they are shown: what the control is called.
        story: of the breakage; None for the control itself.
        changes: the leaves that the breakage sets; exactly one unless confounded.
        derived: further leaves that follow from them by interpolation; shown, not counted.
        config: the resolved experiment sections.
        control: the same for the control.
        recipe: title, expect and checks of the recipe.
        overrides: what reproduces it, without seeds.
        settings: the unresolved leaves of the config, in which one variable is one leaf.
        control_settings: the same for the control.
        part_of: the confounded breakage of which this is one variable alone.
    """

    baseline: str
    story: Story | None
    changes: tuple[Change, ...]
    derived: tuple[Change, ...]
    config: Mapping[str, Any]
    control: Mapping[str, Any]
    recipe: Mapping[str, Any]
    overrides: tuple[str, ...]
    settings: Leaves
    control_settings: Leaves
    part_of: str = ""

    @property
    def name(self) -> str:
        """The breakage's name, or `control`."""
        return self.story.name if self.story else "control"

    @property
    def confounded(self) -> bool:
        """Whether more than one variable differs."""
        return len(self.changes) > 1

    @property
    def expect(self) -> Expect:
        """What must fail and what must stay silent: the recipe's own expectations and the breakage's."""
        mine = Expect.parse(self.recipe["expect"])
        its = self.story.expect if self.story else Expect()
        silent = tuple(name for name in its.silent if name not in mine.fail)
        return Expect(tuple(dict.fromkeys(mine.fail + its.fail)), silent, its.raises)


@dataclass(frozen=True)
class Refusal:
    """A breakage that does not apply to a recipe, kept as a row of a sweep's report."""

    baseline: str
    name: str
    reason: str


def checked(config: DictConfig, overrides: Iterable[str], recipe: str, compose: Compose) -> list[Experiment]:
    """Check a composed config and find its control; a confounded experiment comes with each of its variables alone.

    Args:
        config: as Hydra composed it from `overrides`.
        recipe: the chosen recipe.
        compose: composes a config from other overrides.

    Raises:
        Refused: the breakage changes nothing on this recipe, or a setting that it does not have, or more than one
            variable without `allow_confounded`.
        Mistake: a value or key is wrong.
    """
    if not config.seeds:
        raise Mistake("seeds must hold at least one number, such as seeds=[0], got []")
    if problem := _out_of_range("jobs", config.jobs):
        raise Mistake(problem)
    overrides = [override for override in overrides if override.partition("=")[0] not in PROGRAM]
    plain = [override for override in overrides if not override.startswith(BREAKAGE)]
    names = [name for o in overrides if o.startswith(BREAKAGE) for name in o[len(BREAKAGE) :].strip("[]").split(",")]
    plain = [f"recipe={recipe}", *(override for override in plain if not override.startswith("recipe="))]
    control = compose(plain)
    defaults = leaves(compose([f"recipe={recipe}"]))
    check_values(leaves(control), defaults, recipe)
    _refuse_what_is_overruled(names, config, overrides)
    changes = _changes(config, control, recipe, "+".join(names), config.allow_confounded) if names else ()
    check_values(leaves(config), defaults, recipe)
    settings = [override for override in plain if not override.startswith("recipe=")]
    whole = Experiment(
        baseline=" ".join([recipe, *settings]),
        story=_story(names, config),
        changes=changes,
        derived=_derived(changes, config, control),
        config=sections(config),
        control=sections(control),
        recipe={"title": config.title, "name": recipe, **_plain(config, ("expect", "checks"))},
        overrides=tuple(overrides),
        settings=leaves(config),
        control_settings=leaves(control),
    )
    return [whole, *(_alone(change, whole, control) for change in changes if whole.confounded)]


def _story(names: list[str], config: DictConfig) -> Story | None:
    if len(names) > 1:
        files = sources.names("breakage")
        return joined([read(name, files[name]) for name in names])
    return parse(names[0], _plain(config, ["breakage"])["breakage"]) if names else None


def _refuse_what_is_overruled(names: list[str], config: DictConfig, overrides: list[str]) -> None:
    """Refuse a breakage whose value something else takes the place of: it would not be what its name says."""
    files, composed = sources.names("breakage"), leaves(config)
    for name in names:
        sets = dict(flatten({k: v for k, v in _container(sources.parsed(files[name])).items() if k in EXPERIMENT}))
        for leaf in (leaf for leaf, value in sets.items() if leaf in composed and composed[leaf] != value):
            word = next((word for word in overrides if word.lstrip("+").partition("=")[0] == leaf), "")
            other = f"{word} on the command line" if word else "another breakage"
            raise Refused(f"breakage {name} sets {leaf}, and so does {other}, which wins: leave one of them out")


def _alone(change: Change, whole: Experiment, control: DictConfig) -> Experiment:
    """Return one variable of a confounded experiment, which promises nothing."""
    assert whole.story is not None
    config = copy.deepcopy(control)
    OmegaConf.update(config, change.leaf, change.after)
    name, title = f"{whole.name}/{change.leaf}", f"{whole.story.title}: {change.leaf} alone"
    return replace(
        whole,
        story=replace(whole.story, name=name, title=title, expect=Expect(), blind_spot=""),
        changes=(change,),
        derived=_derived((change,), config, control),
        config=sections(config),
        settings=leaves(config),
        part_of=whole.name,
    )


def _changes(
    config: DictConfig, control: DictConfig, recipe: str, label: str, allow_confounded: bool
) -> tuple[Change, ...]:
    before, after = leaves(control), leaves(config)
    for leaf in after.keys() - before.keys():
        section = leaf.partition(".")[0]
        there = [name for name in before if name.startswith(section)] or list(before)
        raise Refused(f"breakage {label} sets {leaf}, which recipe {recipe} does not have: {nearest(leaf, there)}")
    changes = differences(before, after)
    if not changes:
        raise Refused(f"breakage {label} changes nothing on {recipe}: every value that it sets is already there")
    if len(changes) > 1 and not allow_confounded:
        listing = "; ".join(map(str, changes))
        raise Refused(
            f"breakage {label} changes {len(changes)} variables ({listing}); change one, or add allow_confounded=true "
            "to see it beside each of them alone"
        )
    return changes


def _derived(changes: tuple[Change, ...], config: DictConfig, control: DictConfig) -> tuple[Change, ...]:
    counted = {change.leaf for change in changes}
    resolved = differences(leaves(control, resolve=True), leaves(config, resolve=True))
    return tuple(change for change in resolved if change.leaf not in counted)


def sections(config: DictConfig) -> dict[str, Any]:
    """Return the resolved sections that make up the experiment, as plain data."""
    return _plain(config, EXPERIMENT)


def _plain(config: DictConfig, names: Iterable[str]) -> dict[str, Any]:
    full = _container(config, resolve=True)
    return {name: full[name] for name in names}


def _container(config: DictConfig | ListConfig, resolve: bool = False) -> dict[Any, Any]:
    full = OmegaConf.to_container(config, resolve=resolve, enum_to_str=True)
    assert isinstance(full, dict)
    return full


def leaves(config: DictConfig, resolve: bool = False) -> Leaves:
    """Flatten the experiment sections to `section.key: value`; a list is one leaf."""
    full = _container(config, resolve)
    return dict(flatten({name: full[name] for name in EXPERIMENT if name in full}))


def flatten(node: Mapping[Any, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """Yield `section.key: value` of nested sections."""
    for name, value in node.items():
        if isinstance(value, dict) and value:
            yield from flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def differences(before: Leaves, after: Leaves) -> tuple[Change, ...]:
    """Return the leaves that differ."""
    names = dict.fromkeys([*before, *after])
    return tuple(
        Change(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    )


def check_values(values: Leaves, defaults: Leaves, recipe: str) -> None:
    """Refuse unknown settings, wrong types and impossible values.

    Args:
        values: of the composed config.
        defaults: of the recipe alone; its values say which type is meant.

    Raises:
        Mistake: naming every problem.
    """
    problems = []
    for leaf, value in values.items():
        if leaf not in defaults:
            problems.append(f"{leaf} is not a setting of recipe {recipe}: {_near_leaf(leaf, defaults)}")
        elif problem := _wrong_type(leaf, value, defaults[leaf]) or _out_of_range(leaf, value):
            problems.append(problem)
    if problems:
        raise Mistake("; ".join(problems))


def _near_leaf(leaf: str, defaults: Leaves) -> str:
    section = leaf.partition(".")[0]
    same = [name for name in defaults if name.startswith(f"{section}.")]
    return nearest(leaf, same or defaults)


def _wrong_type(leaf: str, value: Any, default: Any) -> str | None:
    kinds = (
        (bool, "true or false"),
        (int, "a whole number"),
        (float, "a number"),
        (list, "a list"),
        (str, "a text"),
    )
    if value is None or default is None or (isinstance(value, str) and value.startswith("${")):
        return None
    for kind, name in kinds:
        if isinstance(default, kind):
            fits = isinstance(value, (int, float) if kind is float else kind)
            fits = fits and (kind is bool or not isinstance(value, bool))
            if kind is int and leaf not in RANGES and isinstance(value, float):
                fits = True
            return None if fits else f"{leaf} must be {name} such as {_shown(default)}, got {value!r}"
    return None


def _out_of_range(leaf: str, value: Any) -> str | None:
    low, high = RANGES.get(leaf, (-math.inf, None))
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if math.isfinite(value) and low <= value and (high is None or value <= high):
        return None
    limits = f"at least {low}" if high is None else f"between {low} and {high}"
    return f"{leaf} must be {limits}, got {value}" if leaf in RANGES else f"{leaf} must be finite, got {value}"
