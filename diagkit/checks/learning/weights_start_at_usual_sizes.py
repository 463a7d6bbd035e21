"""Do the weights start at a size that the layers can cope with?

## Why it matters
A layer whose weights are too large multiplies its input at every level, too small ones fade it out, and equal ones make
all units the same. Optimizers take thousands of steps to repair that, or never do.

## Threshold
`MAX_GAIN = 5`: standard deviation times the square root of the fan-in (the initializers in use give 0.6 to 1.4);
`MIN_GAIN = 0.02` where every hidden layer of a model without normalization is below; `MAX_WEIGHT = 100` for any weight;
no NaN, and no hidden matrix of one repeated number other than zero. Measured: healthy programs 0.2 to 1.3 (2.4 after
pre-training), zero where it is meant; weights drawn with standard deviation 1 have 8 to 11.

## Cost
Reads the weights.

## Examples
PASS:

>>> from diagkit.evidence.learning import WeightDistribution
>>> def weights(**changed):
...     usual = dict(names=["a.weight", "b.weight"], shapes=[[64, 32], [10, 64]], means=[0.0, 0.0], stds=[0.1, 0.07])
...     usual |= dict(largest=[0.2, 0.1], gains=[0.57, 0.57], finite=[True, True], hidden=[True, False])
...     return WeightDistribution(**usual | dict(normalized=False) | changed)
>>> print(weights_start_at_usual_sizes(weights()))
PASS: gains of the layers 0.57 to 0.57

FAIL, standard deviation 1:

>>> print(weights_start_at_usual_sizes(weights(gains=[5.7, 8.0], stds=[1.0, 1.0])))
FAIL: b.weight starts with a gain of 8 > 5 (standard deviation 1)

FAIL, every weight the same:

>>> print(weights_start_at_usual_sizes(weights(means=[0.1, 0.0], stds=[0.0, 0.07], gains=[0.0, 0.57])))
FAIL: all weights of a.weight are 0.1

## Fix
Leave the initialization of torch, or `nn.init.kaiming_normal_` for relu, `xavier_uniform_` otherwise; a shared
embedding gets a standard deviation of 1/sqrt(dim).

## Sources
- CS231n, neural networks part 2: weight initialization; catalogue: std 0.01 to 1
- Glorot and Bengio (2010); He et al. (2015)
"""

import math

from diagkit.evidence.learning import WeightDistribution
from diagkit.finding import Finding, failed, passed, skipped

MAX_GAIN = 5.0  # see "Threshold"
MIN_GAIN = 0.02
MAX_WEIGHT = 100.0

SPEAKS_FOR = ("bad_initialization", "nonfinite_values")


def weights_start_at_usual_sizes(
    weight_distribution: WeightDistribution,
    *,
    max_gain: float = MAX_GAIN,
    min_gain: float = MIN_GAIN,
    max_weight: float = MAX_WEIGHT,
) -> Finding:
    """Name the first weight of an unusual size."""
    w = weight_distribution
    bad = [name for name, finite in zip(w.names, w.finite, strict=True) if not finite]
    if bad:
        return failed(f"{bad[0]} starts with NaN or infinity").means("nonfinite_values")
    gains = {name: gain for name, gain in zip(w.names, w.gains, strict=True) if not math.isnan(gain)}
    if not gains:
        return skipped("no linear, convolutional or recurrent layer")
    asked = (_too_large(w, gains, max_gain, max_weight), _equal(w), _too_small(w, gains, min_gain))
    usual = passed(f"gains of the layers {min(gains.values()):.2g} to {max(gains.values()):.2g}")
    return next((finding for finding in asked if finding is not None), usual)


def _too_large(w: WeightDistribution, gains: dict[str, float], max_gain: float, max_weight: float) -> Finding | None:
    name = max(gains, key=lambda its: gains[its])
    if gains[name] > max_gain:
        std = w.stds[w.names.index(name)]
        text = f"{name} starts with a gain of {gains[name]:.3g} > {max_gain:g} (standard deviation {std:.2g})"
        return failed(text).means("bad_initialization")
    for its, largest in zip(w.names, w.largest, strict=True):
        if its in gains and largest > max_weight:
            return failed(f"{its} starts with a weight of {largest:.3g} > {max_weight:g}").means("bad_initialization")
    return None


def _equal(w: WeightDistribution) -> Finding | None:
    for name, shape, mean, std, hidden in zip(w.names, w.shapes, w.means, w.stds, w.hidden, strict=True):
        if hidden and mean and std <= 1e-6 * abs(mean) and shape[0] > 1:
            return failed(f"all weights of {name} are {mean:.3g}").means("bad_initialization")
    return None


def _too_small(w: WeightDistribution, gains: dict[str, float], min_gain: float) -> Finding | None:
    hidden = [gain for name, gain, its in zip(w.names, w.gains, w.hidden, strict=True) if its and name in gains]
    if len(hidden) < 2 or w.normalized or max(hidden) >= min_gain or max(hidden) == 0:
        return None
    return failed(f"no hidden layer starts with a gain above {max(hidden):.2g} < {min_gain:g}").means(
        "bad_initialization"
    )
