"""Sentence pairs: the synthetic English-Spanish corpus, and real parallel text from a file."""

import random
import zlib
from dataclasses import dataclass
from pathlib import Path

from diagkit.mistake import Mistake
from diagkit.text import normalized

Pair = tuple[str, str]

NAMES = ["Maria", "Juan", "Ana", "Pedro", "Elena", "Carmen", "Diego", "Rosa"]
VERBS = {"sees": "ve", "wants": "quiere", "finds": "encuentra", "likes": "aprecia"}
NUMBERS = [str(number) for number in range(10, 100)]
ADJECTIVES = {"old": "viejos", "young": "jovenes", "big": "grandes", "small": "pequenos"}
NOUNS = {"cats": "gatos", "dogs": "perros", "birds": "pajaros", "fish": "peces"}
LEXICON = [
    *NAMES,
    *NUMBERS,
    *(word for table in (VERBS, ADJECTIVES, NOUNS) for pair in table.items() for word in pair),
]

MIN_ROWS = 100  # convention: ten test and ten validation sentences are the least one can look at


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs in three parts, no source on two sides of the split."""

    train: list[Pair]
    val: list[Pair]
    test: list[Pair]
    words: list[str]  # every word that may occur, sorted
    notes: tuple[str, ...] = ()


def sentence(rng: random.Random) -> Pair:
    """Draw one pair: name, verb, number, 0 to 2 different adjectives, noun; word for word."""
    name, verb, number = rng.choice(NAMES), rng.choice(list(VERBS)), rng.choice(NUMBERS)
    adjectives = rng.sample(list(ADJECTIVES), rng.randint(0, 2))
    noun = rng.choice(list(NOUNS))
    source = [name, verb, number, *adjectives, noun]
    target = [name, VERBS[verb], number, *(ADJECTIVES[a] for a in adjectives), NOUNS[noun]]
    return " ".join(source), " ".join(target)


def synthetic(train_size: int, val_size: int, test_size: int, seed: int) -> Corpus:
    """Draw the synthetic corpus.

    Every sixth sentence, by its checksum, is kept for validation and test, where each occurs once. So no source is
    on two sides, and another training size leaves the held-out sentences and the first training pairs as they are.
    """
    rng, held_out_rng = random.Random(seed), random.Random(seed + 1)
    train: list[Pair] = []
    while len(train) < train_size:
        pair = sentence(rng)
        if not _is_held_out(pair):
            train.append(pair)
    held_out: dict[Pair, None] = {}
    while len(held_out) < val_size + test_size:
        pair = sentence(held_out_rng)
        if _is_held_out(pair):
            held_out[pair] = None
    pairs = list(held_out)
    return Corpus(train, pairs[:val_size], pairs[val_size:], sorted(LEXICON))


def _is_held_out(pair: Pair) -> bool:
    return zlib.crc32(pair[0].encode()) % 6 == 0


def read(
    path: str, columns: list[int], train_size: int, val_size: int, test_size: int, max_words: int, seed: int
) -> Corpus:
    """Read tab-separated sentence pairs and split them by source sentence.

    Args:
        path: a UTF-8 text file.
        columns: positions of source and target, counted from 0.
        train_size: the most training pairs to keep.
        val_size: validation pairs, at most a tenth of the file.
        test_size: test pairs, at most a tenth of the file.
        max_words: a pair with more words on one side is left out.
        seed: draws the split.

    Raises:
        Mistake: unreadable file, undecodable byte, missing column, or fewer than `MIN_ROWS` usable rows.
    """
    kept, notes = _usable(_rows(path, columns), max_words)
    if len(kept) < MIN_ROWS:
        detail = f" ({', '.join(notes)})" if notes else ""
        raise Mistake(f"{path} must hold at least {MIN_ROWS} usable sentence pairs, got {len(kept)}{detail}")
    val_size, test_size = (min(size, len(kept) // 10) for size in (val_size, test_size))
    test, val, train = _split_by_source(kept, (test_size, val_size), seed)
    notes.append(f"{len(kept)} pairs read, split by source into {len(train)} / {len(val)} / {len(test)}")
    if len(train) > train_size:
        notes.append(f"the first {train_size} of {len(train)} training pairs are used (data.train_size)")
    words = sorted({word for pair in kept for side in pair for word in side.split()})
    return Corpus(train[:train_size], val, test, words, tuple(notes))


def _rows(path: str, columns: list[int]) -> list[Pair]:
    if len(columns) != 2 or min(columns) < 0:
        raise Mistake(f"data.columns must be two positions counted from 0, such as [0,1], got {columns}")
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise Mistake(f"data.path must be a readable text file, got {path}: {error.strerror}") from None
    rows = []
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        try:
            cells = line.decode("utf-8").split("\t")
        except UnicodeDecodeError as error:
            byte = line[error.start]
            raise Mistake(
                f"{path} line {number}: byte 0x{byte:02x} at position {error.start} is not UTF-8; convert the file, "
                "for example with iconv -t UTF-8"
            ) from None
        if len(cells) <= max(columns) and line.strip():
            raise Mistake(
                f"{path} line {number} has {len(cells)} tab-separated columns, data.columns={columns} needs "
                f"{max(columns) + 1}"
            )
        rows.append((cells[columns[0]].strip(), cells[columns[1]].strip()) if line.strip() else ("", ""))
    return rows


def _usable(rows: list[Pair], max_words: int) -> tuple[list[Pair], list[str]]:
    full = [row for row in rows if all(row)]
    short = [row for row in full if max(len(side.split()) for side in row) <= max_words]
    kept = list(dict.fromkeys(short))
    counts = {
        "empty": len(rows) - len(full),
        f"longer than {max_words} words": len(full) - len(short),
        "duplicate": len(short) - len(kept),
    }
    return kept, [f"{count} {what} rows left out" for what, count in counts.items() if count]


def _split_by_source(pairs: list[Pair], sizes: tuple[int, ...], seed: int) -> list[list[Pair]]:
    """Draw parts of about these sizes and the rest; sources that differ in case, spacing or punctuation stay together.

    The rest keeps the order of the file, in which a shift of one column can still be seen.
    """
    by_source: dict[str, list[int]] = {}
    for row, (source, _) in enumerate(pairs):
        by_source.setdefault(normalized(source), []).append(row)
    groups = list(by_source.values())
    random.Random(seed).shuffle(groups)
    parts: list[list[Pair]] = []
    for size in sizes:
        part: list[int] = []
        while groups and len(part) < size:
            part += groups.pop()
        parts.append([pairs[row] for row in part])
    return [*parts, [pairs[row] for row in sorted(row for group in groups for row in group)]]
