from functools import partial
from typing import Any

import numpy as np
import pytest

from diagkit.checks.measurement.preprocessing_knows_no_later_row import preprocessing_knows_no_later_row
from diagkit.probes.leak_tracer import leak_tracer
from diagkit.subject import NotGiven

X = np.random.default_rng(0).normal(size=(100, 3))
Y = X.sum(1)
CUT = 80


def scale_all(x: Any, y: Any) -> Any:
    return (x - x.mean(0)) / x.std(0), y


def fill_all(x: Any, y: Any) -> Any:
    return np.where(np.isnan(x), np.nanmedian(x), x) - np.nanmean(x[np.isfinite(x)]), y


def scale(x: Any, y: Any) -> Any:
    return (x - x[:CUT].mean(0)) / x[:CUT].std(0), y


def windows(x: Any, y: Any) -> Any:
    return np.stack([x[i : i + 5] for i in range(len(x) - 5)]), y[5:]


def test_the_stage_that_leaks_is_named() -> None:
    found = leak_tracer([scale, scale_all, windows], X, Y, CUT)
    assert found.first_stage == "scale_all"
    assert preprocessing_knows_no_later_row(found).faults == ("preprocessing_leak",)


def test_a_stage_with_settings_filled_in_keeps_its_name() -> None:
    assert leak_tracer([scale, partial(partial(scale_all))], X, Y, CUT).first_stage == "scale_all"


def test_what_skips_nan_is_caught_by_the_sentinel() -> None:
    assert not preprocessing_knows_no_later_row(leak_tracer((fill_all, X, Y, CUT)))


def test_a_causal_preprocessing_passes() -> None:
    assert preprocessing_knows_no_later_row(leak_tracer([scale, windows], X, Y, CUT))


def test_a_cut_outside_the_rows_is_refused() -> None:
    with pytest.raises(NotGiven, match="cut"):
        leak_tracer(scale, X, Y, 100)
