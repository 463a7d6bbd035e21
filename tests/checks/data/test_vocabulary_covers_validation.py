"""`data/vocabulary_covers_validation`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn

from diagkit.checks.data.vocabulary_covers_validation import vocabulary_covers_validation
from diagkit.evidence.data import VocabularyUse
from diagkit.probes.vocabulary_use import vocabulary_use
from diagkit.subject import NotGiven

Y = torch.zeros(100, dtype=torch.long)
MODEL = nn.Sequential(nn.Embedding(60, 4), nn.Flatten(), nn.Linear(40, 2))


def test_unknown_words_are_found() -> None:
    x = torch.randint(2, 60, (100, 10), generator=torch.Generator().manual_seed(0))
    unknown = torch.where(torch.rand(x.shape, generator=torch.Generator().manual_seed(1)) < 0.4, 1, x)
    assert vocabulary_covers_validation(vocabulary_use(MODEL, [(x, Y)], [(x.flip(0), Y)], "classification"))
    found = vocabulary_covers_validation(vocabulary_use(MODEL, [(x, Y)], [(unknown, Y)], "classification"))
    assert found.faults == ("vocabulary_gap",)


def test_ids_never_seen_are_found_and_nan_correlation_passes() -> None:
    assert not vocabulary_covers_validation(VocabularyUse(900, 900, 0.3, 0.01, 0.0, 5, 0.9))
    assert vocabulary_covers_validation(VocabularyUse(900, 900, 0.1, 0.01, 0.0, 5, float("nan")))


def test_numbers_that_reach_no_embedding_are_not_counted() -> None:
    with pytest.raises(NotGiven):
        vocabulary_use(nn.Linear(10, 2), [(torch.randn(100, 10), Y)], [(torch.randn(100, 10), Y)], "classification")
