"""Translation: sentence pairs as word ids, and the loss per word; `transformer` is the model that learns them."""

import torch
import torch.nn.functional as F
from torch import Tensor

from diagkit.examples import Examples, Splits
from diagkit.mistake import Mistake, Refused, nearest
from diagkit.tasks import corpus

PAD, START, END = 0, 1, 2
SPECIAL = ("<pad>", "<start>", "<end>")
UNKNOWN = "<unk>"
VOCABULARIES = ("joint", "train")


def load(
    path: str | None,
    columns: list[int],
    train_size: int,
    val_size: int,
    test_size: int,
    max_words: int,
    seed: int,
    vocabulary: str = "joint",
    mark_source: bool = False,
) -> Splits:
    """Read the sentence pairs at `path`, or draw the synthetic ones, and encode them once.

    Args:
        vocabulary: `joint` has every word that may occur; `train` has those of the training pairs, and one sign for
            all others.
        mark_source: whether a source stands between `START` and `END`.

    Raises:
        Mistake: the file cannot be used; see `corpus.read`.
        Refused: `train`, and training has every word.
    """
    if vocabulary not in VOCABULARIES:
        raise Mistake(f"data.vocabulary={vocabulary} is no vocabulary: {nearest(vocabulary, VOCABULARIES)}")
    pairs = (
        corpus.read(path, columns, train_size, val_size, test_size, max_words, seed)
        if path
        else corpus.synthetic(train_size, val_size, test_size, seed)
    )
    words = pairs.words if vocabulary == "joint" else [UNKNOWN, *_of_training(pairs)]
    ids = {word: number for number, word in enumerate((*SPECIAL, *words))}
    train, val, test = (encode(part, ids, mark_source) for part in (pairs.train, pairs.val, pairs.test))
    return Splits(train, val, test, notes=pairs.notes, vocabulary=tuple(ids))


def _of_training(pairs: corpus.Corpus) -> list[str]:
    """Return the words of the training pairs, sorted.

    Raises:
        Refused: validation and test have no others.
    """
    known, held_out = (_words(part) for part in (pairs.train, pairs.val + pairs.test))
    if held_out <= known:
        raise Refused(
            f"data.vocabulary=train leaves no word out, since {len(pairs.train)} training pairs have all "
            f"{len(held_out)} words of validation and test; lower data.train_size"
        )
    return sorted(known - {UNKNOWN})


def _words(part: list[corpus.Pair]) -> set[str]:
    return {word for pair in part for side in pair for word in side.split()}


def encode(pairs: list[corpus.Pair], ids: dict[str, int], mark_source: bool = False) -> Examples:
    """Turn sentence pairs into padded word ids; a target ends with `END`, its prompt begins with `START`.

    With `mark_source` a source has both. A word without an id has that of `UNKNOWN`.
    """
    sources, targets = (
        [[ids[word if word in ids else UNKNOWN] for word in side.split()] for side in sides]
        for sides in zip(*pairs, strict=True)
    )
    return Examples(
        inputs=_padded([[START, *source, END] for source in sources] if mark_source else sources),
        targets=_padded([[*target, END] for target in targets]),
        prompts=_padded([[START, *target] for target in targets]),
        texts=tuple(pairs),
        pad=PAD,
    )


def _padded(rows: list[list[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def token_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross entropy per real target word, nats; ln(words) for a uniform guess."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)
