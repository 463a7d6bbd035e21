import math

import torch
from torch import Tensor, nn

from diagkit.checks.environment.embeddings_know_their_ids import embeddings_know_their_ids
from diagkit.evidence.environment import EmbeddingOrder
from diagkit.probes.embedding_order import embedding_order

WORDS = 60


class Tone(nn.Module):
    def __init__(self, vectors: Tensor) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding.from_pretrained(vectors), nn.Linear(3, 1)

    def forward(self, ids: Tensor) -> Tensor:
        out: Tensor = self.out(self.words(ids).mean(1))
        return out


def corpus() -> tuple[list[tuple[Tensor, Tensor]], Tensor]:
    torch.manual_seed(0)
    tone = torch.randn(WORDS)
    ids = torch.randint(WORDS, (1500, 8))
    return [(ids, (tone[ids].sum(1) > 0).float())], torch.stack([tone, torch.randn(WORDS), torch.randn(WORDS)], 1)


def test_shuffled_rows_are_found_and_right_ones_pass() -> None:
    train, vectors = corpus()
    assert embeddings_know_their_ids(embedding_order(Tone(vectors), train))
    mixed = embeddings_know_their_ids(embedding_order(Tone(vectors[torch.randperm(WORDS)]), train))
    assert mixed.faults[0] == "vocabulary_rebuilt"


def test_nan_reliability_is_skipped() -> None:
    found = embeddings_know_their_ids(EmbeddingOrder("words", 60, math.nan, 0.0, 1, 0.0, False))
    assert str(found).startswith("SKIP")
