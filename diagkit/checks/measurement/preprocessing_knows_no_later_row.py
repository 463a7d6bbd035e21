"""Does the preprocessing keep later rows out of earlier ones?

## Why it matters
A mean over all rows, a rolling window that is centred, an imputer that looks ahead: each carries the test period into
the training period, where no score can show it.

## Threshold
None: a row before the cut changes when later rows are poisoned, or it does not. Poisoned twice: with NaN, and with
1e12 for what skips NaN.

## Cost
Runs the preprocessing at most four times, and twice for each stage where it leaks. It is only asked where `pipeline` is
given: `diagnose(..., pipeline=(stages, X, y, cut))`.

## Examples
PASS:

>>> from diagkit.evidence.measurement import LeakTracer
>>> print(preprocessing_knows_no_later_row(LeakTracer(["impute", "scale"], 800, {"NaN": 0, "1e12": 0})))
PASS: 0 of 800 rows before the cut change when later rows are poisoned

FAIL, an imputer fitted on all rows, which NaN alone does not show:

>>> print(preprocessing_knows_no_later_row(LeakTracer(["impute", "scale"], 800, {"NaN": 0, "1e12": 800}, "impute")))
FAIL: 800 of 800 rows before the cut change when later rows are poisoned with 1e12, first in impute

## Fix
Fit on the rows before the cut only, or make the statistic causal (`rolling` without `center`, `shift(1)`, `expanding`).

## Sources
- wassname, machine learning debugging folklore (NaN poisoning)
- Kaufman et al., Leakage in data mining (2012)
"""

from diagkit.evidence.measurement import LeakTracer
from diagkit.finding import Finding, failed, passed

SPEAKS_FOR = ("preprocessing_leak",)


def preprocessing_knows_no_later_row(leak_tracer: LeakTracer) -> Finding:
    """Judge the poison that reaches most rows."""
    poison = max(leak_tracer.leaks, key=lambda name: leak_tracer.leaks[name])
    count = leak_tracer.leaks[poison]
    text = f"{count} of {leak_tracer.rows} rows before the cut change when later rows are poisoned"
    if not count:
        return passed(text)
    return failed(f"{text} with {poison}, first in {leak_tracer.first_stage}").means("preprocessing_leak")
