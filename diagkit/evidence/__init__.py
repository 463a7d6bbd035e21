"""Evidence: what probes measure and checks judge, one module per question.

Each class is the evidence of the probe of the same name (`WordOrder` of `probes/word_order.py`), made of plain
numbers, strings, lists and dicts, so that it is stored as JSON and judged again later without training.
"""

import re
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

Evidence = Any  # an instance of one of the classes


@cache
def _classes() -> dict[str, type[Any]]:
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    modules = [import_module(f"{__name__}.{file.stem}") for file in files]
    return {name: value for module in modules for name, value in vars(module).items() if isinstance(value, type)}


def evidence_type(name: str) -> type[Any]:
    """Return the class of a probe's evidence: `word_order` gives `WordOrder`.

    Raises:
        KeyError: there is no such evidence.
    """
    return _classes()[re.sub(r"(?:^|_)(\w)", lambda match: match.group(1).upper(), name)]


def to_plain(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as what JSON holds."""
    return asdict(evidence)


def merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Join plain evidence as `measure` returns it; what the second has counts where both have it."""
    return first | second | {key: first.get(key, {}) | second.get(key, {}) for key in ("missing", "raised")}


def answered(evidence: dict[str, Any]) -> set[str]:
    """Return the probes that were asked: those with evidence, and those that could not answer."""
    return set(evidence) | set(evidence["missing"]) | set(evidence["raised"])


def from_plain(name: str, plain: dict[str, Any]) -> Evidence:
    """Return what `to_plain` was given."""
    return evidence_type(name)(**plain)
