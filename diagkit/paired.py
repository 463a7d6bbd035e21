"""Differences of a score and how sure they are: over seeds, which are trainings, and over the examples of a test set.

The two are kept apart: an interval over seeds says what another training might give on this test set, one over test
examples what these trainings might give on another test set.
"""

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from diagkit.score import METRICS

LEVEL, POWER = 0.95, 0.8  # conventions; Cohen (1988) for the power
RESAMPLES = 1000  # of the bootstrap; its interval then moves by about 3 % of its width (convention)
MIN_FLIPPED = 6  # pairs: the smallest p-value is 2 / 2^n, above 5 % with fewer
MAX_EXACT = 16  # pairs whose 65,536 flips are all tried; with more as many are drawn


@dataclass(frozen=True)
class Difference:
    """One mean minus another.

    Attributes:
        low, high: of the 95 % interval; NaN where there is none.
        over: what the interval covers: `seeds`, `seeds, unpaired` or `test examples`.
        seeds: how many it is taken over; of separate groups, of the smaller one.
        detectable: the smallest true difference that would probably have been seen; see `detectable`.
        p_value: of the sign-flip test over seeds; NaN with fewer than six.
        effect: the mean in units of the control's spread over seeds; NaN where that is unknown or zero.
        examples: the interval over test examples, where `over` is something else.
    """

    mean: float
    low: float
    high: float
    over: str
    seeds: int = 1
    detectable: float = math.nan
    p_value: float = math.nan
    effect: float = math.nan
    examples: tuple[float, float] | None = None

    @property
    def seen(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Sample:
    """A scored test set.

    Attributes:
        metric: a name of `diagkit.score.METRICS`.
        rows: `(examples, figures)`, from which the metric is computed.
        examples: the same for two samples of one test set.
    """

    metric: str
    rows: NDArray[np.float64]
    examples: Hashable

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the metric `(draws,)` for how often each example occurs in a test set, `(draws, examples)`."""
        return np.array([METRICS[self.metric](totals, len(self.rows)) for totals in counts @ self.rows])


def over_seeds(values: Sequence[float], control: Sequence[float] = ()) -> Difference:
    """Return the mean and Student's interval of paired differences, at least two.

    Args:
        values: one difference per seed.
        control: the control's figures, whose spread is the unit of the effect.

    Source: Student (1908), the probable error of a mean.
    """
    mean, freedom = float(np.mean(values)), len(values) - 1
    error = _spread(values) / math.sqrt(len(values))
    half = _student((1 + LEVEL) / 2, freedom) * error
    spread = _spread(control) if len(control) > 1 else 0.0
    return Difference(
        mean,
        mean - half,
        mean + half,
        "seeds",
        len(values),
        detectable(error, freedom),
        sign_flip(values) if len(values) >= MIN_FLIPPED else math.nan,
        mean / spread if spread else math.nan,
    )


def unpaired(values: Sequence[float], control: Sequence[float]) -> Difference:
    """Return the difference of two means over separate seeds, at least two each, with Welch's interval.

    Source: Welch (1947), the generalization of Student's problem; degrees of freedom by Satterthwaite (1946).
    """
    parts = [_spread(its) ** 2 / len(its) for its in (values, control)]
    error = math.sqrt(sum(parts))
    weights = sum(part**2 / (len(its) - 1) for part, its in zip(parts, (values, control), strict=True))
    freedom = sum(parts) ** 2 / weights if weights else math.inf
    half = _student((1 + LEVEL) / 2, freedom) * error
    mean, spread = float(np.mean(values) - np.mean(control)), _spread(control)
    return Difference(
        mean,
        mean - half,
        mean + half,
        "seeds, unpaired",
        min(len(values), len(control)),
        detectable(error, freedom),
        effect=mean / spread if spread else math.nan,
    )


def _spread(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1))


def _student(quantile: float, freedom: float) -> float:
    if math.isinf(freedom):
        return NormalDist().inv_cdf(quantile)
    from scipy.special import stdtrit  # a fifth of a second, for several seeds only

    return float(stdtrit(freedom, quantile))


def detectable(error: float, freedom: float) -> float:
    """Return the smallest true difference that is seen at the 5 % level, two-sided, with 80 % power.

    Args:
        error: standard error of the difference; s / sqrt(n) of n paired differences.
        freedom: degrees of freedom that it was estimated with.

    Source: Bloom (1995), minimum detectable effects: (t_0.975 + t_0.8) standard errors.
    """
    return (_student((1 + LEVEL) / 2, freedom) + _student(POWER, freedom)) * error


def sign_flip(values: Sequence[float]) -> float:
    """Return how often a mean as far from zero comes about when the sign of every difference is up to chance.

    All flips are tried, or with more than 16 values as many drawn ones, and the values as they are counted with them.

    Source: Fisher (1935), the design of experiments, chapter 3; drawn: Phipson and Smyth (2010).
    """
    found = np.asarray(values, dtype=np.float64)
    if len(found) <= MAX_EXACT:
        signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(found))))
    else:
        drawn = np.random.default_rng(0).choice((1.0, -1.0), size=(2**MAX_EXACT - 1, len(found)))
        signs = np.vstack([np.ones(len(found)), drawn])
    sums = np.abs(signs @ found)
    return float(np.mean(sums >= sums[0] * (1 - 1e-9)))  # sums of the same numbers differ in their last bits


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of several tests so that all rejections at 5 % are right in 95 % of such tables.

    NaN is no test: it stays and does not count.

    Source: Holm (1979), a simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    adjusted, largest = [math.nan] * len(p_values), 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[place] = largest
    return adjusted


def over_examples(broken: Sequence[Sample], control: Sequence[Sample]) -> Difference:
    """Return the difference of two mean scores with a bootstrap interval over the test examples.

    What was measured on one test set is drawn together, what was not separately. The interval says nothing about
    another training.

    Args:
        broken, control: one sample per seed.

    Source: Efron (1979); for BLEU, Koehn (2004), statistical significance tests for machine translation evaluation.
    """
    draw = _draws()
    drawn = _mean(broken, draw) - _mean(control, draw)
    mean = float(_mean(broken, _once)[0] - _mean(control, _once)[0])
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    error = float(np.std(drawn))
    return Difference(mean, float(low), float(high), "test examples", len(broken), detectable(error, math.inf))


Counts = Callable[[Sample], NDArray[np.float64]]


def _mean(samples: Sequence[Sample], counts: Counts) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = np.mean([sample.score(counts(sample)) for sample in samples], axis=0)
    return scores


def _once(sample: Sample) -> NDArray[np.float64]:
    return np.ones((1, len(sample.rows)))


def _draws() -> Counts:
    """Return what draws the examples of a test set with replacement, the same for every sample of that set."""
    rng = np.random.default_rng(0)
    known: dict[Hashable, NDArray[np.float64]] = {}

    def draw(sample: Sample) -> NDArray[np.float64]:
        if sample.examples not in known:
            size = len(sample.rows)
            places = rng.integers(size, size=(RESAMPLES, size)) + size * np.arange(RESAMPLES)[:, None]
            counts = np.bincount(places.ravel(), minlength=RESAMPLES * size)
            known[sample.examples] = counts.reshape(RESAMPLES, size).astype(np.float64)
        return known[sample.examples]

    return draw


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, within 0 and 1 for any number of tries.

    By hand, since scipy.stats is slow to load.
    Source: Wilson (1927), probable inference, the law of succession, and statistical inference.
    """
    z, share = NormalDist().inv_cdf((1 + LEVEL) / 2), hits / of
    middle = (share + z**2 / (2 * of)) / (1 + z**2 / of)
    half = z / (1 + z**2 / of) * math.sqrt(share * (1 - share) / of + z**2 / (4 * of**2))
    return max(0.0, middle - half), min(1.0, middle + half)
