"""Differences and their intervals, against second implementations."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from diagkit.compare import over_examples, over_seeds
from diagkit.evidence.training import Scores
from diagkit.score import bleu, bleu_statistics


def scores(hits: list[float], inputs: list[str] | None = None) -> Scores:
    inputs = inputs or [str(i) for i in range(len(hits))]
    return Scores("accuracy", float(np.mean(hits)), 0.0, {}, "", [[hit] for hit in hits], [], [], inputs)


def test_the_interval_over_seeds_is_students() -> None:
    found = over_seeds([-5.0, -7.0, -6.0])
    half = 4.302653 * 1.0 / 3**0.5  # t of two degrees of freedom, standard deviation 1
    assert found.mean == pytest.approx(-6.0)
    assert (found.low, found.high) == pytest.approx((-6.0 - half, -6.0 + half), rel=1e-5)


def test_paired_examples_are_drawn_together() -> None:
    same = over_examples(scores([1.0, 0.0] * 50), scores([1.0, 0.0] * 50))
    assert (same.mean, same.low, same.high) == (0.0, 0.0, 0.0)


def test_another_test_set_is_drawn_separately() -> None:
    other = over_examples(scores([1.0, 0.0] * 50, inputs=["x"] * 100), scores([1.0, 0.0] * 50))
    assert other.low < 0 < other.high


def test_bleu_from_statistics_is_sacrebleus() -> None:
    outputs = ["Maria ve 12 viejos gatos", "Juan quiere 30 peces", "la la"]
    truths = ["Maria ve 12 viejos perros", "Juan quiere 30 peces", "Ana ve 77 grandes pajaros"]
    rows, signature = bleu_statistics(outputs, truths)
    expected = BLEU().corpus_score(outputs, [truths]).score
    assert bleu(np.array(rows)) == pytest.approx(expected)
    assert "version:" in signature
