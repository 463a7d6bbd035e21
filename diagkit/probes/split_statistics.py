"""Were statistics fitted on more than the training split?

A scaler leaves a trace in what it was fitted on: mean exactly 0 and standard deviation exactly 1, or a minimum of
exactly 0 and a maximum of exactly 1, to the last digits. Where training together with a held-out split shows that
trace and training alone does not, the scaler saw both.

Source: scikit-learn user guide, Common pitfalls: data leakage during pre-processing.
"""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import MAX_ROWS, matrix
from diagkit.evidence.measurement import SplitStatistics
from diagkit.subject import NotGiven

EXACT = 1e-4  # of the spread; single precision leaves 1e-6
TIMES = 10.0  # training alone must be off by that much more
MIN_ROWS = 30
MIN_LEVELS = 12  # different values of a column that is worth scaling
MAX_COLUMNS = 1000
Trace = Tensor  # (columns,) how far a column is from a fitted scaler's result


def split_statistics(
    train: Iterable[Any], val: Iterable[Any] | None = None, test: Iterable[Any] | None = None
) -> SplitStatistics:
    """Look for the traces of scalers in inputs and targets.

    Raises:
        NotGiven: the samples do not hold all rows, or inputs are no numbers of one shape.
    """
    tables = {name: matrix(its) for name, its in (("train", train), ("val", val), ("test", test)) if its is not None}
    known = {name: table for name, table in tables.items() if table is not None}
    if "train" not in known or len(known) < 2 or len({table[0].shape[1] for table in known.values()}) > 1:
        raise NotGiven("inputs must be tensors of numbers of one shape, and a held-out split given")
    if len(known["train"][0]) < MIN_ROWS or any(len(table[0]) >= MAX_ROWS for table in known.values()):
        raise NotGiven(f"statistics need all rows of a split, between {MIN_ROWS} and {MAX_ROWS}")
    for sides, what in ((0, "inputs"), (1, "targets")):
        columns = {name: _columns(table[sides]) for name, table in known.items()}
        if sides and len({its.shape[1] for its in columns.values()}) > 1:
            continue
        if found := _found(columns, what):
            return found
    return SplitStatistics(known["train"][0].shape[1], [])


def _columns(values: Tensor) -> Tensor:
    return values.reshape(len(values), -1)[:, :MAX_COLUMNS]


def _found(columns: dict[str, Tensor], what: str) -> SplitStatistics | None:
    others = [name for name in columns if name != "train"]
    for count in range(len(others), 0, -1):
        for names in combinations(others, count):
            together = torch.cat([columns["train"], *(columns[name] for name in names)])
            traces = _traces(columns["train"], together)
            if traces:
                sentence = [f"{what}: {trace}" for trace in traces]
                return SplitStatistics(columns["train"].shape[1], sentence, " + ".join(["train", *names]))
    return None


def _traces(train: Tensor, together: Tensor) -> list[str]:
    """Name the scalers whose trace all varying columns of the splits together show, and training alone does not."""
    varying = torch.stack([torch.tensor(len(column.unique()) >= MIN_LEVELS) for column in together.T])
    if not varying.any():
        return []
    train, together = train[:, varying], together[:, varying]
    traces: dict[str, Callable[[Tensor], Trace]] = {
        "mean 0 and standard deviation 1 of each column": _standard,
        "median 0 and interquartile range 1 of each column": _robust,
        "minimum and maximum of each column at round numbers": _range,
    }
    if train.shape[1] > 1:
        traces["mean 0 and standard deviation 1 of all values"] = _standard_of_all
    return [name for name, trace in traces.items() if _only_together(trace(train), trace(together))]


def _only_together(alone: Trace, both: Trace) -> bool:
    """Return whether most columns are exact together, and not one of them alone."""
    exact = both < EXACT
    return bool(exact.double().mean() > 0.5) and bool((alone[exact] > TIMES * EXACT).all())


def _standard(columns: Tensor) -> Trace:
    spread = torch.minimum((columns.std(0) - 1).abs(), (columns.std(0, unbiased=False) - 1).abs())
    return torch.maximum(columns.mean(0).abs(), spread)


def _standard_of_all(columns: Tensor) -> Trace:
    return _standard(columns.reshape(-1, 1))


def _robust(columns: Tensor) -> Trace:
    low, middle, high = torch.quantile(columns, torch.tensor([0.25, 0.5, 0.75], dtype=columns.dtype), dim=0)
    return torch.maximum(middle.abs(), (high - low - 1).abs())


def _range(columns: Tensor) -> Trace:
    """Continuous columns end at 0 and 1, or -1 and 1, only if somebody made them."""
    low, high = columns.min(0).values, columns.max(0).values
    bottom = torch.minimum(low.abs(), (low + 1).abs())
    once = ((columns == low).sum(0) == 1) & ((columns == high).sum(0) == 1)
    off = torch.maximum(bottom, (high - 1).abs())
    return torch.where(once, off, torch.full_like(off, float("inf")))
