"""Can the targets be predicted from the inputs at all?

The nearest neighbour in input space answers without training: where targets belong to their inputs, an example and
its nearest neighbour agree more often than an example and any other. Shuffled targets show what chance gives.

Source: nearest-neighbour error is at most twice the best possible, Cover and Hart (1967).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import matrix
from diagkit.evidence.data import InputDependence
from diagkit.subject import NotGiven

MAX_ROWS = 1500  # the distances are quadratic in the rows
SHUFFLES = 20


def input_dependence(train: Iterable[Any], task: str) -> InputDependence:
    """Measure the agreement of nearest neighbours beyond chance.

    Returns:
        `skill` 1 where every neighbour has the same target, 0 at chance.

    Raises:
        NotGiven: the inputs are token ids, which have no distance; word association is asked about them.
    """
    if task in ("seq2seq", "language_model"):
        raise NotGiven("token ids have no distance; alignment asks about them")
    if (table := matrix(train)) is None:
        raise NotGiven("inputs and targets must be tensors of numbers of one shape")
    generator = torch.Generator().manual_seed(0)
    rows = torch.randperm(len(table[0]), generator=generator)[:MAX_ROWS]
    inputs, targets = table[0][rows], table[1][rows].reshape(len(rows), -1)[:, 0]
    distance = torch.cdist(inputs, inputs).fill_diagonal_(float("inf"))
    nearest = distance.argmin(1)
    chance = [
        _skill(shuffled, shuffled[nearest], task)
        for shuffled in (targets[torch.randperm(len(rows), generator=generator)] for _ in range(SHUFFLES))
    ]
    return InputDependence(len(rows), _skill(targets, targets[nearest], task), float(torch.tensor(chance).std()))


def _skill(targets: Tensor, guesses: Tensor, task: str) -> float:
    """Return 1 - error / error of a random partner."""
    if task in ("classification", "binary"):
        shares = torch.unique(targets, return_counts=True)[1] / len(targets)
        return 1 - float((targets != guesses).double().mean() / (1 - (shares**2).sum()).clamp(min=1e-12))
    return 1 - float(((targets - guesses) ** 2).mean() / (2 * targets.var(unbiased=False)).clamp(min=1e-12))
