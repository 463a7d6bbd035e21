"""Decoder-only transformer on lines of varying length; padding is left out of the loss."""

import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

PAD, BOS, EOS, VOCAB, MAX = 0, 1, 2, 24, 18


def lines(count, rng):
    """Counting up by one or two from a random start, with an occasional jump; no line occurs twice."""
    rows = set()
    while len(rows) < count:
        step, ids = rng.randint(1, 2), [rng.randrange(21)]
        for _ in range(rng.randint(6, MAX - 4)):
            ids.append((ids[-1] + step + 7 * (rng.random() < 0.3)) % 21)
        rows.add((BOS, *[i + 3 for i in ids], EOS))
    return rng.sample(sorted(rows), count)


def collate(rows):
    size = max(len(r) for r in rows)
    ids = torch.tensor([[*r, *[PAD] * (size - len(r))] for r in rows])
    return {"input": ids[:, :-1], "target": ids[:, 1:]}


class Decoder(nn.Module):
    def __init__(self, dim=24, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.positions = nn.Embedding(MAX, dim)
        layer = nn.TransformerEncoderLayer(dim, 2, 48, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(dim), enable_nested_tensor=False)
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids):
        length = ids.shape[1]
        x = self.tokens(ids) + self.positions(torch.arange(length, device=ids.device))
        causal = torch.triu(torch.ones(length, length, dtype=torch.bool, device=ids.device), 1)
        return self.head(self.layers(x, mask=causal))


def loss_fn(logits, targets):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rows = lines(1600, random.Random(seed))
    model = Decoder()
    return {
        "model": model,
        "train": DataLoader(rows[:1200], batch_size=40, shuffle=True, collate_fn=collate),
        "val": DataLoader(rows[1200:1400], batch_size=100, collate_fn=collate),
        "test": DataLoader(rows[1400:], batch_size=100, collate_fn=collate),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=6e-3, betas=(0.9, 0.98)),
        "epochs": 8,
        "task": "language_model",
    }
