"""Does anything after the cut reach the rows before it?

The raw rows after the cut are poisoned, the real preprocessing runs, and the rows before the cut must be as they are
without poison. NaN spreads through most arithmetic; what skips it (nanmean, an imputer, dropna) is caught by a second
run with 1e12. Where the preprocessing is a list of stages, the first one that lets the poison through is named.

    leak_tracer([impute, scale, cut_windows], X, y, cut=800)

Source: wassname's machine learning debugging folklore (NaN poisoning).
"""

import copy
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from diagkit.evidence.measurement import LeakTracer
from diagkit.guard import generators
from diagkit.subject import NotGiven

Stage = Callable[[Any, Any], Any]
POISONS = {"NaN": float("nan"), "1e12": 1e12}
CLOSE = 1e-6


def leak_tracer(pipeline: Any, raw_x: Any = None, raw_y: Any = None, cut: int | None = None) -> LeakTracer:
    """Poison the rows from `cut` on and count the rows before it that change.

    Args:
        pipeline: a callable or a sequence of callables, each `X, y -> (X, y)`; or, as `diagnose` takes it, the tuple
            `(pipeline, raw_x, raw_y, cut)`.
        raw_x: `(rows, ...)`, in the order of time, or training rows first.
        raw_y: `(rows, ...)`, or None.
        cut: the first row that training must not know.

    Raises:
        NotGiven: the raw data are not given, or the preprocessing raises or repeats itself differently.
    """
    if raw_x is None:
        if not isinstance(pipeline, tuple) or len(pipeline) != 4:
            raise NotGiven("the leak tracer needs pipeline=(stages, X, y, cut)")
        pipeline, raw_x, raw_y, cut = pipeline
    stages = list(pipeline) if isinstance(pipeline, Sequence) else [pipeline]
    if cut is None or not 0 < cut < len(raw_x):
        raise NotGiven(f"cut must lie between the first and the last of {len(raw_x)} rows, got {cut}")
    clean, again = (_run(stages, raw_x, raw_y) for _ in range(2))
    kept = len(clean) - (len(raw_x) - cut)
    if kept < 1:
        raise NotGiven("no row of the result lies before the cut")
    if _changed(clean, again, kept):
        raise NotGiven("the preprocessing gives another result each time, also from one seed")
    leaks = {name: count for name in POISONS if (count := _leak(stages, raw_x, raw_y, cut, name)) is not None}
    if not leaks:
        raise NotGiven("the preprocessing raises on every poison")
    first = ""
    for name, count in leaks.items():
        if count and not first:
            first = _first_stage(stages, raw_x, raw_y, cut, name)
    return LeakTracer([_name(stage) for stage in stages], kept, leaks, first)


def _first_stage(stages: list[Stage], raw_x: Any, raw_y: Any, cut: int, poison: str) -> str:
    ends = (end for end in range(1, len(stages) + 1) if _leak(stages[:end], raw_x, raw_y, cut, poison))
    return _name(stages[next(ends, len(stages)) - 1])


def _leak(stages: list[Stage], raw_x: Any, raw_y: Any, cut: int, poison: str) -> int | None:
    """Return how many rows before the cut change; None where the preprocessing raises."""
    try:
        clean = _run(stages, raw_x, raw_y)
        poisoned = _run(stages, _poisoned(raw_x, cut, POISONS[poison]), _poisoned(raw_y, cut, POISONS[poison]))
    except NotGiven:
        return None
    return _changed(clean, poisoned, max(0, len(clean) - (len(raw_x) - cut)))


def _run(stages: list[Stage], raw_x: Any, raw_y: Any) -> NDArray[np.float64]:
    """Return `(rows, columns)` of the result's X and y side by side."""
    x, y, stages = copy.deepcopy((raw_x, raw_y, stages))
    try:
        with generators(), np.errstate(all="ignore"):
            torch.manual_seed(0)
            random.seed(0)
            np.random.seed(0)
            for stage in stages:
                result = stage(x, y)
                x, y = result if isinstance(result, tuple) and len(result) == 2 else (result, y)
    except Exception as error:
        raise NotGiven(f"the preprocessing raises {type(error).__name__}: {error}") from error
    parts = [_columns(part) for part in (x, y) if part is not None]
    rows = min(len(part) for part in parts)
    return np.concatenate([part[:rows] for part in parts], 1)


def _columns(values: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    except (TypeError, ValueError) as error:
        raise NotGiven(f"the preprocessing must return arrays of numbers: {error}") from error


def _poisoned(values: Any, cut: int, poison: float) -> Any:
    """Return a copy with the rows from `cut` on replaced; text, and whole numbers that cannot be NaN, stay."""
    if values is None:
        return None
    values = copy.deepcopy(values)
    if hasattr(values, "iloc"):
        return _poisoned_table(values, cut, poison)
    if isinstance(values, list):
        values = np.asarray(values)
    whole = not torch.is_floating_point(values) if isinstance(values, torch.Tensor) else values.dtype.kind != "f"
    if not whole or (poison == poison and (isinstance(values, torch.Tensor) or values.dtype.itemsize == 8)):
        values[cut:] = poison
    return values


def _poisoned_table(table: Any, cut: int, poison: float) -> Any:
    """Do it for a pandas frame or series."""
    if table.ndim == 1:
        table = table.astype(float) if table.dtype.kind in "fi" else table
        table.iloc[cut:] = poison if table.dtype.kind == "f" else table.iloc[cut:]
        return table
    for name in table.columns[[kind.kind in "fi" for kind in table.dtypes]]:
        table[name] = table[name].astype(float)
        table.iloc[cut:, table.columns.get_loc(name)] = poison
    return table


def _changed(one: NDArray[np.float64], two: NDArray[np.float64], rows: int) -> int:
    rows = min(rows, len(one), len(two))
    if one.shape[1] != two.shape[1]:
        return rows
    same = np.isclose(one[:rows], two[:rows], rtol=CLOSE, atol=CLOSE, equal_nan=True)
    return int((~same.all(1)).sum())


def _name(stage: Stage) -> str:
    while isinstance(stage, partial):
        stage = stage.func
    return str(getattr(stage, "__name__", type(stage).__name__))
