"""The fault vocabulary: the names a diagnosis may use, from `faults.yaml`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from omegaconf import OmegaConf


@dataclass(frozen=True)
class Fault:
    """One name of the vocabulary."""

    name: str
    question: str  # the question that finds it
    means: str
    also: tuple[str, ...] = ()  # other names in use for the same thing


@cache
def vocabulary() -> dict[str, Fault]:
    """Return every fault by its name, in the order of the five questions."""
    raw = OmegaConf.to_container(OmegaConf.load(Path(__file__).with_name("faults.yaml")))
    assert isinstance(raw, dict)
    return {
        name: Fault(name, str(question), entry["means"], tuple(entry.get("also", ())))
        for question, group in raw.items()
        for name, entry in group.items()
    }


def fault_names() -> list[str]:
    """Return the names alone, in the order of the five questions."""
    return list(vocabulary())
