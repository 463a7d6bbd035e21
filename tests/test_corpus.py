"""Sentence pairs: the synthetic corpus, and files as users have them."""

from pathlib import Path

import pytest
import torch

from diagkit.examples import Splits
from diagkit.mistake import Mistake, Refused
from diagkit.sabotage import swapped_half
from diagkit.tasks import corpus, digits, translation
from diagkit.tasks.transformer import translator

SIZES = {"train_size": 3000, "val_size": 400, "test_size": 400}


def lines(count: int) -> list[str]:
    return [f"word{i} number {i}\tWort{i} Nummer {i}" for i in range(count)]


def read(path: Path, columns: tuple[int, int] = (0, 1), max_words: int = 40) -> corpus.Corpus:
    return corpus.read(str(path), list(columns), 3000, 400, 400, max_words, seed=0)


def test_the_synthetic_corpus_has_the_published_vocabulary() -> None:
    splits = translation.load(None, [0, 1], max_words=40, seed=0, **SIZES)
    assert len(splits.vocabulary) == 125
    assert [len(part) for part in (splits.train, splits.val, splits.test)] == [3000, 400, 400]


def test_no_source_is_on_two_sides() -> None:
    drawn = corpus.synthetic(**SIZES, seed=0)
    sources = [{source for source, _ in part} for part in (drawn.train, drawn.val, drawn.test)]
    assert not sources[0] & sources[1] and not sources[0] & sources[2] and not sources[1] & sources[2]


def test_a_smaller_training_set_changes_nothing_else() -> None:
    small, full = corpus.synthetic(60, 400, 400, 0), corpus.synthetic(**SIZES, seed=0)
    assert small.train == full.train[:60]
    assert (small.val, small.test) == (full.val, full.test)


def small(vocabulary: str) -> Splits:
    return translation.load(None, [0, 1], 60, 40, 40, 40, seed=0, vocabulary=vocabulary)


def test_a_vocabulary_of_training_has_one_sign_for_all_other_words() -> None:
    splits = small("train")
    words, unknown = splits.vocabulary, splits.vocabulary.index(translation.UNKNOWN)
    known = {word for pair in splits.train.texts for side in pair for word in side.split()}
    assert set(words) == {*translation.SPECIAL, translation.UNKNOWN, *known}
    assert not bool((splits.train.inputs == unknown).any())
    for (source, _), ids in zip(splits.test.texts, splits.test.inputs.tolist(), strict=True):
        read = [words[i] for i in ids if i != translation.PAD]
        assert read == [word if word in known else translation.UNKNOWN for word in source.split()]


def test_a_vocabulary_of_training_that_lacks_nothing_is_refused() -> None:
    with pytest.raises(Refused, match="3000 training pairs have all 122 words"):
        translation.load(None, [0, 1], max_words=40, seed=0, vocabulary="train", **SIZES)


def test_an_unknown_vocabulary_is_named() -> None:
    with pytest.raises(Mistake, match="did you mean train"):
        small("trian")


def test_half_of_the_pairs_are_turned_as_if_they_had_been_written_so() -> None:
    splits = small("joint")
    ids = {word: number for number, word in enumerate(splits.vocabulary)}
    turned = swapped_half(splits.train, torch.Generator().manual_seed(0))
    assert sum(a == b[::-1] for a, b in zip(splits.train.texts, turned.texts, strict=True)) == 30
    expected = translation.encode(list(turned.texts), ids)
    for rows in torch.arange(60)[:, None]:
        (inputs, prompts), targets = turned.batch(rows)
        (its_inputs, its_prompts), its_targets = expected.batch(rows)
        assert torch.equal(inputs, its_inputs) and torch.equal(prompts, its_prompts)
        assert torch.equal(targets, its_targets)


def test_pictures_have_no_sides_to_exchange() -> None:
    splits = digits.load(100, 50, 50, 0)
    with pytest.raises(Refused, match="sides of sentence pairs"):
        swapped_half(splits.train, torch.Generator())


def test_the_model_has_the_published_number_of_parameters() -> None:
    splits = translation.load(None, [0, 1], max_words=40, seed=0, **SIZES)
    model = translator(splits, 128, 4, 2, 256, 0.1, 0.088)
    assert sum(parameter.numel() for parameter in model.parameters()) == 711_165
    assert sum(name.startswith("encoder.") for name, _ in model.named_parameters()) == 26


def test_empty_long_and_duplicate_rows_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    extra = ["", "only one side\t", "a " * 50 + "\tlong", "word0 number 0\tWort0 Nummer 0"]
    file.write_text("\n".join([*lines(200), *extra]), "utf-8")
    found = read(file)
    assert found.notes[:3] == (
        "2 empty rows left out",
        "1 longer than 40 words rows left out",
        "1 duplicate rows left out",
    )


def test_real_text_is_split_by_source(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("\n".join(f"source {i // 4}\ttarget {i}" for i in range(800)), "utf-8")
    found = read(file)
    sources = [{source for source, _ in part} for part in (found.train, found.val, found.test)]
    assert not sources[0] & (sources[1] | sources[2]) and not sources[1] & sources[2]


def test_columns_may_be_any(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("\n".join(f"{i}\tziel {i}\tsource {i}" for i in range(150)), "utf-8")
    assert read(file, (2, 1)).train[0][0].startswith("source")


@pytest.mark.parametrize(
    ("content", "columns", "sentence"),
    [
        (b"one\ttwo\nthree\n", (0, 1), "line 2 has 1 tab-separated columns"),
        (b"one\ttwo\n\xff\tx\n", (0, 1), "line 2: byte 0xff at position 0 is not UTF-8"),
        (b"one\ttwo\n", (0, 1), "at least 100 usable sentence pairs, got 1"),
        (b"", (0, 1), "at least 100 usable sentence pairs, got 0"),
        (b"one\ttwo\n", (0, 5), "needs 6"),
        (b"one\ttwo\n", (0, -1), "two positions counted from 0"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(
    tmp_path: Path, content: bytes, columns: tuple[int, int], sentence: str
) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(content)
    with pytest.raises(Mistake, match=sentence):
        read(file, columns)


def test_a_marked_source_stands_between_the_signs() -> None:
    plain, marked = (
        translation.load(None, [0, 1], max_words=40, seed=0, **SIZES, mark_source=mark).train for mark in (False, True)
    )
    words = int((plain.inputs[0] != translation.PAD).sum())
    assert marked.inputs[0, : words + 2].tolist() == [
        translation.START,
        *plain.inputs[0, :words].tolist(),
        translation.END,
    ]
    assert torch.equal(marked.targets, plain.targets)
    with pytest.raises(Refused, match="mark_source=false"):
        swapped_half(marked, torch.Generator())
