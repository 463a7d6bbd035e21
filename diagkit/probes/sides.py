"""Is each side of a parallel corpus in one language, or are some rows the other way round?

Every row gives one vector: how much more often each word stands in the source than in the target. In a corpus that is
the right way round these vectors point the same way; exchanged rows point the opposite way, along the same line, which
the first singular vector finds even where half of the rows are exchanged. Words that stand on one side of nearly every
row (start and end marks) say nothing.

Where both sides are written with the same words, pairs of words are asked instead: which of the two stands in the
source and which in the target.

Source: the tutorial's exercise: source and target swapped for half of the corpus.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

from diagkit import tables
from diagkit.evidence.data import Sides
from diagkit.subject import NotGiven

Pair = tuple[str, str]
MAX_ROWS = 5000
MAX_WORDS = 3000  # the commonest
MIN_COUNT = 5  # of a word
EVERYWHERE = 0.8  # of the rows: a word that stands there on one side is a mark
ONE_SIDED = 0.95  # of a word's occurrences
CLEAR = 0.25  # of the usual length along the line; shorter rows point nowhere
MIN_ROWS = 50
TOLD_APART = 0.5  # of the words: more, and words alone tell the sides apart
MAX_PAIRED = 100  # words whose pairs are looked at
MAX_TURNED = 2000  # rows whose pairs are looked at


def sides(pairs: Sequence[Pair] | None = None, train: Iterable[Any] | None = None, task: str = "") -> Sides:
    """Turn every row the right way and count those that had to be turned.

    Raises:
        NotGiven: there are neither pairs nor sequences of ids, or they are too few.
    """
    if pairs is None and task != "seq2seq":
        raise NotGiven("pairs is not given")
    rows = list(pairs[:MAX_ROWS] if pairs is not None else tables.sides(train or []))
    split = [(source.lower().split(), target.lower().split()) for source, target in rows]
    counts = _counts(split)
    if len(rows) < MIN_ROWS or counts is None:
        raise NotGiven("source and target are too few sequences of words")
    source, target = counts
    turned, _ = _turned(source - target)
    separation = _separation(source, target, turned)
    if separation >= TOLD_APART:
        return Sides(len(rows), float(turned.mean()), separation)
    turned, clarity = _turned(_directed(source, target))
    return Sides(len(rows), float(turned.mean()), separation, clarity)


def _separation(source: Any, target: Any, turned: NDArray[np.bool_]) -> float:
    """Return the share of words that belong to one side alone."""
    mine = (np.where(turned[:, None], target.toarray(), source.toarray())).sum(0)
    its = (np.where(turned[:, None], source.toarray(), target.toarray())).sum(0)
    both = mine + its
    return float(both[np.maximum(mine, its) >= ONE_SIDED * both].sum() / max(both.sum(), 1e-12))


def _directed(source: Any, target: Any) -> Any:
    """Return `(rows, pairs)`: how much more the first word stands in the source and the second in the target.

    Each word counts as its presence over what is usual, so that rows of the same words are not taken for a direction.
    """
    few = min(source.shape[1], MAX_PAIRED)
    mine, its = (np.asarray((side[:MAX_TURNED, :few] > 0).todense(), dtype=np.float32) for side in (source, target))
    usual = (mine.mean(0) + its.mean(0)) / 2
    upper = np.triu_indices(few, 1)
    rows = zip(mine - usual, its - usual, strict=True)
    return csr_matrix(np.stack([(np.outer(s, t) - np.outer(t, s))[upper] for s, t in rows]))


def _counts(split: list[tuple[list[str], list[str]]]) -> tuple[Any, Any] | None:
    """Return two sparse matrices `(rows, words)`, how often each word stands in source and target."""
    seen = Counter(word for row in split for side in row for word in side)
    marks = {
        word
        for side in (0, 1)
        for word, n in Counter(word for row in split for word in set(row[side])).items()
        if n > EVERYWHERE * len(split)
    }
    words = [word for word, n in seen.most_common(MAX_WORDS) if n >= MIN_COUNT and word not in marks]
    if len(words) < MIN_COUNT:
        return None
    place = {word: i for i, word in enumerate(words)}
    made = []
    for side in (0, 1):
        cells = [(i, place[word]) for i, row in enumerate(split) for word in row[side] if word in place]
        at: NDArray[np.int64] = np.array(cells or [(0, 0)])
        values = np.ones(len(at)) if cells else np.zeros(1)
        made.append(csr_matrix((values, (at[:, 0], at[:, 1])), shape=(len(split), len(words))))
    return made[0], made[1]


def _turned(difference: Any) -> tuple[NDArray[np.bool_], float]:
    """Return which rows point against the majority, and how clearly rows point at all.

    The direction of each half of the rows is found on the other half.
    """
    norms = np.sqrt(np.asarray(difference.multiply(difference).sum(1)).ravel())
    if not norms.any():  # both sides hold the same words
        return np.zeros(len(norms), dtype=bool), 0.0
    scaled = difference.multiply(1 / np.maximum(norms, 1e-12)[:, None]).tocsr()
    first = np.arange(len(norms)) % 2 == 0
    ways = [_direction(scaled[half]) for half in (~first, first)]
    if ways[0] @ ways[1] < 0:
        ways[1] = -ways[1]
    along = np.where(first, np.asarray(scaled @ ways[0]).ravel(), np.asarray(scaled @ ways[1]).ravel())
    length = np.abs(along)
    against = along < 0 if (along > 0).sum() >= (along < 0).sum() else along > 0
    clarity = float(length.mean() / max(length.std(), 1e-12))
    made: NDArray[np.bool_] = against & (length > CLEAR * np.median(length))
    return made, clarity


def _direction(scaled: Any) -> NDArray[np.float64]:
    """Return the line along which the rows point, found by their first singular vector and sharpened."""
    start = np.random.default_rng(0).standard_normal(
        min(scaled.shape)
    )  # ones would be cancelled by sides of one length
    direction = svds(scaled, k=1, v0=start)[2][0]
    for _ in range(3):  # the mean of the turned rows is a better direction than the singular vector
        along = np.asarray(scaled @ direction).ravel()
        direction = np.asarray((scaled.multiply(np.sign(along)[:, None])).mean(0)).ravel()
    made: NDArray[np.float64] = direction / max(float(np.linalg.norm(direction)), 1e-12)
    return made
