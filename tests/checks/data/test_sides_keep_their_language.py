"""`data/sides_keep_their_language`: edge cases, and its probe on small live objects."""

import random

import pytest
import torch

from diagkit.checks.data.sides_keep_their_language import sides_keep_their_language
from diagkit.finding import Verdict
from diagkit.probes.sides import sides
from diagkit.subject import NotGiven


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_swapped_rows_are_counted(english_french: list[tuple[str, str]], share: float) -> None:
    draw = random.Random(0)
    rows = draw.sample(english_french, 600)
    assert sides_keep_their_language(sides(pairs=rows))
    mixed = [row[::-1] if draw.random() < share else row for row in rows]
    found = sides(pairs=mixed)
    assert sides_keep_their_language(found).faults == ("swapped_sides",)
    assert abs(found.swapped - share) < 0.1


def test_rows_of_one_alphabet_are_turned_by_their_pairs() -> None:
    g = torch.Generator().manual_seed(0)
    code = torch.randperm(20, generator=g)
    x = torch.randint(20, (800, 5), generator=g)
    y = code[x]
    other = torch.rand(800, 1, generator=g) < 0.3
    x, y, swapped_x, swapped_y = x + 1, y + 1, torch.where(other, y, x) + 1, torch.where(other, x, y) + 1
    assert sides_keep_their_language(sides(train=[(x, y)], task="seq2seq"))
    found = sides_keep_their_language(sides(train=[(swapped_x, swapped_y)], task="seq2seq"))
    assert found.faults == ("swapped_sides",)


def test_one_alphabet_on_both_sides_is_not_judged() -> None:
    ids = torch.randint(1, 9, (200, 6))
    copied = sides(train=[((ids, ids), ids)], task="seq2seq")
    assert sides_keep_their_language(copied).verdict is Verdict.SKIP
    reversed_ = sides(train=[((ids, ids), ids.flip(1))], task="seq2seq")
    assert sides_keep_their_language(reversed_).verdict is Verdict.SKIP


def test_few_rows_and_other_tasks_are_not_asked() -> None:
    with pytest.raises(NotGiven):
        sides(pairs=[("a", "b")] * 10)
    with pytest.raises(NotGiven):
        sides(train=[], task="regression")
