"""How well do the two sides of a parallel corpus belong together?

Which words occur together is learnt on one half of the rows and tried on the other: the association of a source with
its own target is compared with that of another row's target. Real partners win far more often than half of the time,
in any pair of languages; unrelated sides win half of the time.

Sources: pointwise mutual information for word association, Church and Hanks (1990). Length correlation and anchor
agreement are the tutorial's two figures; they only speak where lengths vary and names or numbers occur on both sides.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diagkit.evidence.data import Alignment
from diagkit.subject import NotGiven
from diagkit.tables import sides

Pair = tuple[str, str]
BLOCK = 10  # rows that stay together, so that the neighbours of a row are judged by the same half
MAX_ROWS = 1500  # the share is then known to 0.03 (two standard errors)
Words = frozenset[str]
Association = dict[tuple[str, str], float]


def alignment(
    pairs: Sequence[Pair] | None = None,
    train: Iterable[Any] | None = None,
    val: Iterable[Any] | None = None,
    val_pairs: Sequence[Pair] | None = None,
    task: str = "",
    seed: int = 0,
) -> Alignment:
    """Measure association, length correlation and anchor agreement.

    Args:
        pairs: source and target of every row, in the order of the file.
        train: batches of token ids, whose ids are taken for words where no pairs are given; so is `val`.
        val_pairs: the same of validation, judged by what is learnt on `pairs`.
        seed: draws the halves and the random partners.

    Raises:
        NotGiven: there are neither pairs nor sequences of ids.
    """
    ids = pairs is None
    pairs = _some(pairs or _ids(train, task))
    rows = [(_words(source), _words(target)) for source, target in pairs]
    held_out = [(_words(s), _words(t)) for s, t in _some((val_pairs if not ids else sides(val or [])) or [])]
    wins, held_out_wins = (
        np.concatenate([_wins(rows, seed, half, other) for half in (0, 1)]) for other in (None, held_out)
    )
    anchored = [(_anchors(source), _anchors(target)) for source, target in pairs]
    both = [(mine, its) for mine, its in anchored if mine and its]
    return Alignment(
        rows=len(pairs),
        beats_random=_mean(wins[:, 0]),
        beats_neighbour=min(_mean(wins[:, 1]), _mean(wins[:, 2])),
        length_correlation=_length_correlation(pairs),
        anchor_agreement=sum(bool(mine & its) for mine, its in anchored) / len(pairs),
        anchored_share=len(both) / len(pairs),
        ids=ids,
        val_rows=len(held_out),
        val_beats_random=_mean(held_out_wins[:, 0]),
    )


def _ids(train: Iterable[Any] | None, task: str) -> list[Pair]:
    if train is None or task != "seq2seq":
        raise NotGiven("pairs is not given")
    if not (found := sides(train)):
        raise NotGiven("source and target are not sequences of ids")
    return found


def _some(pairs: Sequence[Pair]) -> list[Pair]:
    """Return `MAX_ROWS` pairs, in blocks of neighbours from all over the file."""
    starts = range(0, len(pairs), BLOCK)
    count = min(len(starts), MAX_ROWS // BLOCK)
    chosen = [starts[k * len(starts) // count] for k in range(count)]
    return [pair for start in chosen for pair in pairs[start : start + BLOCK]]


def _mean(wins: NDArray[np.float64]) -> float:
    known = wins[~np.isnan(wins)]
    return float(known.mean()) if known.size else float("nan")


def _words(sentence: str) -> Words:
    """Return words and punctuation, and the first four letters of long words, which inflected forms share."""
    words = re.findall(r"\w+|[^\w\s]", sentence.lower())
    return frozenset(words + [word[:4] + "-" for word in words if len(word) > 4])


def _wins(
    rows: list[tuple[Words, Words]], seed: int, half: int, others: list[tuple[Words, Words]] | None = None
) -> NDArray[np.float64]:
    """Compare every row of one half, or every one of the others, with its rivals, knowing the other half.

    Returns:
        `(rows, 3)`: 1 where the own target is more associated than a random one, than the next and than the previous
        row's, 0 where it is less, 0.5 for a tie, NaN where the rival has the same words.
    """
    blocks = [range(start, min(start + BLOCK, len(rows))) for start in range(0, len(rows), BLOCK)]
    random.Random(seed).shuffle(blocks)
    learn, judge = ([i for block in part for i in block] for part in (blocks[half::2], blocks[1 - half :: 2]))
    table = _association([rows[i] for i in learn])
    if others is not None:
        rows, judge = others, list(range(len(others)))
    order = random.Random(seed + 1).sample(judge, len(judge))
    partner = dict(zip(order, order[1:] + order[:1], strict=True))
    result = np.full((len(judge), 3), np.nan)
    for k, row in enumerate(judge):
        source, target = rows[row]
        own = _score(table, source, target)
        rivals = [partner[row], *(judge[j] if 0 <= j < len(judge) else row for j in (k + 1, k - 1))]
        for column, rival in enumerate(rivals):
            if not (rows[rival][0] == source or rows[rival][1] == target):
                result[k, column] = (np.sign(own - _score(table, source, rows[rival][1])) + 1) / 2
    return result


def _association(rows: list[tuple[Words, Words]]) -> Association:
    """Return how much more often than by chance word pairs occur together, nats, never below 0."""
    sources = Counter(word for source, _ in rows for word in source)
    targets = Counter(word for _, target in rows for word in target)
    together = Counter(pair for source, target in rows for pair in product(source, target))
    return {
        (s, t): max(0.0, math.log(n * len(rows) / (sources[s] * targets[t]))) * n / (n + 1)
        for (s, t), n in together.items()
    }


def _score(table: Association, source: Words, target: Words) -> float:
    """Average over the words of both sides their strongest association with the other side."""
    if not source or not target:
        return 0.0
    associated = [[table.get((s, t), 0.0) for t in target] for s in source]
    forward = sum(map(max, zip(*associated, strict=True))) / len(target)
    backward = sum(map(max, associated)) / len(source)
    return float(forward + backward)


def _length_correlation(pairs: Sequence[Pair]) -> float:
    lengths = np.array([[len(side.split()) for side in pair] for pair in pairs], dtype=float)
    if len(pairs) < 2 or (lengths.std(0) == 0).any():
        return float("nan")
    return float(np.corrcoef(lengths.T)[0, 1])


def _anchors(sentence: str) -> frozenset[str]:
    """Return the words that survive translation: numbers, and names (capitalized) anywhere in the sentence."""
    words = (word.strip(".,;:!?\"'«»()") for word in sentence.split())
    return frozenset(word for word in words if word.isdigit() or (word[:1].isupper() and len(word) > 1))
