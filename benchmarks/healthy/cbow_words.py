"""Word vectors: predict a word from two neighbours on each side; the split is by sentence, not by window."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, TOPICS, SENTENCE = 48, 4, 9


def windows(count, gen):
    """Sentences stick to one topic; a few words are common to all topics."""
    topic = torch.randint(TOPICS, (count, 1), generator=gen)
    own = topic * 8 + torch.randint(8, (count, SENTENCE), generator=gen)
    common = 32 + torch.randint(16, (count, SENTENCE), generator=gen)
    text = torch.where(torch.rand(count, SENTENCE, generator=gen) < 0.25, common, own)
    parts = text.unfold(1, 5, 1).reshape(-1, 5)
    return parts[:, [0, 1, 3, 4]], parts[:, 2]


def without(context, word, known):
    seen = {tuple(row) for row in known.tolist()}
    keep = torch.tensor([tuple(row) not in seen for row in context.tolist()])
    return context[keep], word[keep]


class CBOW(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.vectors = nn.Embedding(WORDS, dim)
        self.scores = nn.Linear(dim, WORDS)

    def forward(self, context):
        return self.scores(self.vectors(context).mean(1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    context, word = windows(2000, gen)
    first = {tuple(row): i for i, row in reversed(list(enumerate(context.tolist())))}
    train = context[sorted(first.values())], word[sorted(first.values())]
    val, test = (without(*windows(200, gen), train[0]) for _ in range(2))
    model = CBOW()
    return {
        "model": model,
        "train": DataLoader(TensorDataset(*train), batch_size=64, shuffle=True, generator=gen),
        "val": DataLoader(TensorDataset(*val), batch_size=500),
        "test": DataLoader(TensorDataset(*test), batch_size=500),
        "loss_fn": F.cross_entropy,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 6,
        "task": "classification",
    }
