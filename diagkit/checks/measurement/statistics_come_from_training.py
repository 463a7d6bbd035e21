"""Do statistics of the preprocessing come from training alone?

## Why it matters
A scaler, an imputer or a selection of features that was fitted on all rows has seen the test set. The score is better
than any that the model will reach on rows that nobody has seen.

## Threshold
A trace is exact to 1e-4 of the spread for the splits together, in most columns, and training alone is off by more
than 1e-3 in every one of them (convention: single precision leaves 1e-6; the mean of n rows differs from that of all
by about 1/sqrt(n), 0.01 for 10,000). Splits of more than 4,000 rows are not read whole and not judged.

## Cost
Means and quantiles of every column.

## Examples
PASS:

>>> from diagkit.evidence.measurement import SplitStatistics
>>> print(statistics_come_from_training(SplitStatistics(30, [])))
PASS: no statistic is exact for training and held-out rows together and not for training alone

FAIL, standardized before the split:

>>> trace = ["inputs: mean 0 and standard deviation 1 of each column"]
>>> print(statistics_come_from_training(SplitStatistics(30, trace, "train + val + test")))
FAIL: train + val + test together have inputs: mean 0 and standard deviation 1 of each column, training alone has not

## Fix
Split first. Fit the scaler on training rows and apply it to all (`sklearn.pipeline.Pipeline` does that in a
cross-validation). Whether other statistics leak can be asked of the code itself: `diagkit.probes.leak_tracer`.

## Sources
- scikit-learn user guide, Common pitfalls and recommended practices: data leakage
- Kaufman et al., Leakage in data mining (2012)
"""

from diagkit.evidence.measurement import SplitStatistics
from diagkit.finding import Finding, failed, passed

SPEAKS_FOR = ("preprocessing_leak",)


def statistics_come_from_training(split_statistics: SplitStatistics) -> Finding:
    """Judge whether a scaler saw more than training."""
    found = split_statistics.fitted_on_more
    if not found:
        return passed("no statistic is exact for training and held-out rows together and not for training alone")
    text = f"{split_statistics.together} together have {'; '.join(found)}, training alone has not"
    return failed(text).means("preprocessing_leak")
