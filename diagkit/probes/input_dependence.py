"""Can the targets be predicted from the inputs at all, by learners that are simple and independent of the model?

Ridge regression, nearest neighbours and randomized trees are asked in turn, on two views of the inputs, each for
examples it has not seen. The skill is the correlation of its guesses with the targets: 0 at chance. The same is asked
within the validation part, and from training to validation, so that both parts can be compared.

Sources: Cover and Hart, Nearest neighbor pattern classification (1967); Ojala and Garriga, Permutation tests for
studying classifier performance (2010).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from diagkit.evidence.data import InputDependence
from diagkit.guard import generators
from diagkit.subject import NotGiven
from diagkit.tables import Matrix, Raw, by_content, by_place, read, target_columns

FOLDS = 3
SHUFFLES = 30
ENOUGH = 0.5  # a skill after which no further learner is asked
MIN_ROWS = 40
COMMON = 0.05  # share of a class in one part
SAME = 1e-6  # spreads: copies of a row say nothing of how far rows lie apart
LOOKED_AT = 500  # rows whose nearest neighbour is looked for
LEARNERS = ("ridge regression", "nearest neighbours", "randomized trees")


@dataclass(frozen=True)
class Side:
    """One part of the data: inputs in one view, and targets."""

    inputs: Matrix
    targets: Matrix

    def some(self, rows: int) -> "Side":
        return Side(self.inputs[:rows], self.targets[:rows])


def input_dependence(train: Iterable[Any], task: str, val: Iterable[Any] | None = None) -> InputDependence:
    """Measure the skill of the learner that finds most, in either part.

    Raises:
        NotGiven: the examples do not fit into a table, or are too few.
    """
    if task in ("seq2seq", "language_model"):
        raise NotGiven("the rows of token sequences have no distance; alignment asks about them")
    with generators():
        torch.manual_seed(0)
        mine, its = read(train), None if val is None else read(val)
        if mine is None or (wanted := target_columns(mine, mine, task)) is None:
            raise NotGiven("inputs and targets do not fit into a table")
        if len(mine) < MIN_ROWS:
            raise NotGiven(f"{len(mine)} examples are too few to learn from")
        if its is not None and (len(its) < MIN_ROWS or not _alike(mine, its)):
            its = None
        best: InputDependence | None = None
        for name, ours, theirs in _sides(mine, its, wanted, task):
            found = _ask(name, ours, theirs)
            if best is None or _most(found) > _most(best):
                best = found
            if _most(best) >= ENOUGH:
                break
    assert best is not None
    return best


def _alike(mine: Raw, its: Raw) -> bool:
    return [part.shape[1:] for part in mine.inputs] == [part.shape[1:] for part in its.inputs] and (
        mine.targets.shape[1:] == its.targets.shape[1:]
    )


def _sides(mine: Raw, its: Raw | None, wanted: Matrix, task: str) -> Iterator[tuple[str, Side, Side | None]]:
    """Yield every learner with the training and the validation side of every view."""
    theirs = None if its is None else target_columns(its, mine, task)
    for view in ("place", "content"):
        ours = by_place(mine, mine) if view == "place" else by_content(mine)
        if ours is None:
            continue
        other = None if its is None else by_place(its, mine) if view == "place" else by_content(its)
        second = None if other is None or theirs is None else Side(other, theirs)
        for name in LEARNERS:
            yield name, Side(ours, wanted), second


def _most(found: InputDependence) -> float:
    return float(np.nanmax([found.skill, found.val_skill]))


def _ask(name: str, ours: Side, theirs: Side | None) -> InputDependence:
    skill, spread = _held_out(name, ours)
    alone = InputDependence(len(ours.inputs), skill, spread, name)
    if theirs is None:
        return alone
    known = len(ours.inputs) * (FOLDS - 1) // FOLDS  # as many as are known when training examples are held out
    few = min(len(ours.inputs), len(theirs.inputs))
    val_skill, val_spread = _held_out(name, theirs.some(few))
    return replace(
        alone,
        val_rows=len(theirs.inputs),
        val_skill=val_skill,
        val_spread=val_spread,
        equal_skill=skill if few == len(ours.inputs) else _held_out(name, ours.some(few))[0],
        transfer_skill=_agreement(_guesses(name, ours.some(known), theirs.inputs), theirs.targets),
        share_ratio=_share_ratio(ours.targets, theirs.targets),
        looseness=_looseness(ours.inputs[:few], ours.inputs) / _looseness(theirs.inputs[:few], ours.inputs),
    )


def _held_out(name: str, side: Side) -> tuple[float, float]:
    """Return the skill on examples that the learner has not seen, and its standard deviation by chance."""
    rows = len(side.inputs)
    fold = np.arange(rows) % FOLDS
    guesses, wanted = np.zeros_like(side.targets), side.targets.copy()
    for one in range(FOLDS):
        judged = fold == one
        guesses[judged] = _guesses(name, Side(side.inputs[~judged], side.targets[~judged]), side.inputs[judged])
        guesses[judged] -= guesses[judged].mean(0)
        wanted[judged] -= wanted[judged].mean(0)
    draw = np.random.default_rng(0)
    chance = [_agreement(guesses, wanted[draw.permutation(rows)]) for _ in range(SHUFFLES)]
    return _agreement(guesses, wanted), float(np.std(chance))


def _learner(name: str, rows: int, columns: int) -> Any:
    from sklearn.ensemble import ExtraTreesRegressor  # half a second, for inputs that are numbers only
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsRegressor

    if name == "ridge regression":
        return Ridge(alpha=max(1.0, rows / 20))
    if name == "nearest neighbours":
        return KNeighborsRegressor(n_neighbors=max(3, min(15, rows // 20)))
    return ExtraTreesRegressor(25, min_samples_leaf=4, max_features=min(24, columns), random_state=0)


def _guesses(name: str, known: Side, asked: Matrix) -> Matrix:
    centre, spread = known.inputs.mean(0), known.inputs.std(0)
    spread = np.where(spread > 1e-8, spread, 1.0)
    learner = _learner(name, *known.inputs.shape)
    learner.fit((known.inputs - centre) / spread, known.targets)
    made: NDArray[np.float64] = learner.predict(((asked - centre) / spread).clip(-20, 20))
    return made.reshape(len(asked), -1)


def _share_ratio(mine: Matrix, its: Matrix) -> float:
    """Return the largest ratio of a class' shares, of classes that one part has often; 1 for values."""
    if mine.max() > 1 or its.max() > 1:  # ranks
        return 1.0
    shares = np.array([mine.mean(0), its.mean(0)])
    common = shares.max(0) > COMMON
    ratios = shares.max(0)[common] / np.maximum(shares.min(0)[common], 1e-3)
    return float(ratios.max(initial=1.0))


def _looseness(inputs: Matrix, like: Matrix) -> float:
    """Return the median distance to the nearest row that is another one, in units of the spread of `like`."""
    spread = np.where(like.std(0) > 1e-8, like.std(0), 1.0)
    some = torch.from_numpy(inputs[:LOOKED_AT] / spread)
    apart = torch.cdist(some, some, compute_mode="donot_use_mm_for_euclid_dist")
    return float(apart.masked_fill(apart < SAME, float("inf")).amin(1).median()) + 1e-9


def _agreement(guesses: Matrix, wanted: Matrix) -> float:
    """Return the correlation over all columns together, each centred."""
    guesses, wanted = guesses - guesses.mean(0), wanted - wanted.mean(0)
    size = float(np.sqrt((guesses**2).sum() * (wanted**2).sum()))
    return float((guesses * wanted).sum()) / size if size > 1e-12 else 0.0
