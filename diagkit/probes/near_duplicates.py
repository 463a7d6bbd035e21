"""Do held-out rows have twins in training: nearer to a training row than neighbours at random would be?

In a cloud of dimension d, the distances to the nearest and to the K-th neighbour are related by chance alone: the K -
1 nearest ones lie like uniform draws in the ball of the K-th, so (d1/dK)^d is the smallest of them. d is estimated
from farther neighbours, which a small group of relatives does not reach. A row whose nearest neighbour is nearer than
one in a thousand by chance has a twin, unless it is farther than training rows are from each other: inputs that are
prepared in another way lie outside the cloud, where all of training is in one direction. Where held-out rows have twins
and chance gives none, one observation is on both sides.

Sources: Levina and Bickel, Maximum likelihood estimation of intrinsic dimension (2004); Roberts et al.,
Cross-validation strategies for data with temporal, spatial, hierarchical structure (2017)."""

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import matrix
from diagkit.evidence.measurement import NearDuplicates
from diagkit.subject import NotGiven

DEEP = True
MAX_ROWS = 4000  # of training
MAX_HELD_OUT = 500
MAX_READ = 2000  # columns; of more, every so many-th is taken
MAX_COLUMNS = 64  # more are projected at random, which keeps distances
NEAR, FAR = 20, 40  # neighbours: the ball, and the farthest that the dimension is estimated from
MIN_P = 1e-3
SAME = 1e-6  # standard deviations
WITHIN = 0.95  # of the training rows have their nearest neighbour no farther than a twin may be


def near_duplicates(
    train: Iterable[Any], val: Iterable[Any] | None = None, test: Iterable[Any] | None = None
) -> NearDuplicates:
    """Count the rows with a twin in training, of the held-out split that has more.

    Raises:
        NotGiven: the inputs have no distance, or the rows are too few.
    """
    held_out = {name: batches for name, batches in (("test", test), ("val", val)) if batches is not None}
    if (mine := matrix(train)) is None or not held_out:
        raise NotGiven("inputs must be tensors of numbers of one shape, and a held-out split given")
    stride = max(1, mine[0].shape[1] // MAX_READ)
    known = torch.unique(mine[0][:MAX_ROWS, ::stride], dim=0)
    if len(known) < 3 * FAR or known.shape[1] < 2:
        raise NotGiven(f"{len(known)} different training rows are too few for {FAR} neighbours")
    tables = {
        name: table[0][:MAX_HELD_OUT, ::stride] for name, its in held_out.items() if (table := matrix(its)) is not None
    }
    tables = {name: table for name, table in tables.items() if table.shape[1] == known.shape[1] and len(table)}
    if not tables:
        raise NotGiven("held-out inputs have another shape than those of training")
    center, spread = known.mean(0), known.std(0)
    shrink = _shrink(known.shape[1], spread)
    known = ((known - center) @ shrink).float()
    some = known[torch.randperm(len(known), generator=torch.Generator().manual_seed(0))[:MAX_HELD_OUT]]
    among = _neighbours(some, known, 1)
    reach = float(among[:, 0].quantile(WITHIN))
    in_train, dimension = _twins(among, math.inf)
    twins = {
        name: _twins(_neighbours(((rows - center) @ shrink).float(), known, 0), reach) for name, rows in tables.items()
    }
    split = max(twins, key=lambda name: float(twins[name][0]))
    return NearDuplicates(len(tables[split]), split, twins[split][0], in_train, dimension)


def _shrink(columns: int, spread: Tensor) -> Tensor:
    """Return the matrix that gives every column the same spread, and projects many columns onto `MAX_COLUMNS`."""
    scale = torch.where(spread > 1e-9, 1 / spread.clamp(min=1e-9), torch.zeros_like(spread))
    if columns <= MAX_COLUMNS:
        return torch.diag(scale)
    generator = torch.Generator().manual_seed(0)
    return scale[:, None] * torch.randn(columns, MAX_COLUMNS, generator=generator, dtype=torch.float64)


def _neighbours(rows: Tensor, known: Tensor, skip: int) -> Tensor:
    """Return `(rows, FAR)`, the distances to the nearest training rows, ascending, without the first `skip`."""
    nearest = torch.cdist(rows, known, compute_mode="donot_use_mm_for_euclid_dist").topk(FAR + skip, largest=False)
    return nearest.values[:, skip:].double().clamp(min=1e-12)


def _twins(distances: Tensor, reach: float) -> tuple[float, float]:
    """Return the share of rows whose nearest neighbour is too near, and no farther than `reach`, and the dimension."""
    outer = torch.arange(NEAR, FAR)
    expected = torch.special.digamma(torch.tensor(float(FAR))) - torch.special.digamma(outer.double())
    logs = (distances[:, -1:] / distances[:, NEAR - 1 : -1]).log()
    dimension = expected.mean() / logs.mean(1).clamp(min=1e-3)
    volume = (distances[:, 0] / distances[:, NEAR - 1]) ** dimension
    by_chance = 1 - (1 - volume.clamp(max=1)) ** (NEAR - 1)
    by_chance[distances[:, 0] <= SAME] = 1.0  # the same row, which is asked elsewhere
    near = (by_chance < MIN_P) & (distances[:, 0] <= reach)
    return float(near.double().mean()), float(dimension.median())
