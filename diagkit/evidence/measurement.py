"""Evidence for the fourth question: is the measurement lying?"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Overlap:
    """Test inputs that also occur in training; shares in [0, 1]."""

    rows: int
    exact: float
    normalized: float  # after folding case, spacing and punctuation
    sample: str = ""  # one of them
    split: str = "test"  # the one with the larger share, test or val
    by_chance: float = 0.0  # share to be expected where inputs have few values


@dataclass(frozen=True)
class NearDuplicates:
    """Held-out rows that lie closer to a training row than neighbours at random would; shares in [0, 1]."""

    rows: int
    split: str
    too_near: float  # share of the held-out rows
    too_near_in_train: float  # share of training rows, to the other training rows
    dimension: float  # of the cloud around a row, median


@dataclass(frozen=True)
class WindowOverlap:
    """Held-out windows that hold a part of a training window."""

    rows: int
    split: str
    share: float  # of the held-out windows
    length: int  # values in a row that must agree
    example: str = ""


@dataclass(frozen=True)
class SplitStatistics:
    """Statistics that are exact for the splits together but not for training alone."""

    columns: int
    fitted_on_more: list[str]  # what was found, in words
    together: str = ""  # the splits that share them


@dataclass(frozen=True)
class LeakTracer:
    """What reaches the training part when the rest of the raw data is poisoned."""

    stages: list[str]
    rows: int  # before the cut
    leaks: dict[str, int] = field(default_factory=dict)  # poison: rows before the cut that changed
    first_stage: str = ""  # that lets it through


@dataclass(frozen=True)
class ColumnSkill:
    """How well every input column predicts the target by itself; 1 is perfect, 0 is chance."""

    rows: int
    columns: int
    best: float
    second: float
    column: int  # the best one
    measure: str
    all_together: float = float("nan")  # of all columns but the best
    filled: float = float("nan")  # two classes: how many more of one have the best column's commonest value, a share


@dataclass(frozen=True)
class Recount:
    """The author's evaluation of the same examples in other batches."""

    figures: list[str]  # split and name of each figure
    as_given: list[float]
    in_one_batch: list[float]
    recounted: list[float]  # by diagkit, NaN where the name does not say what is counted
