"""Sorts short notes into five drawers with an attention layer over padded ids."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, LONGEST, DRAWERS, PAD, DIM = 200, 16, 5, 0, 32


def notes(count, seed):
    taste = 1.5 * torch.randn(DRAWERS, WORDS, generator=torch.Generator().manual_seed(62))
    taste[:, PAD] = float("-inf")
    g = torch.Generator().manual_seed(seed)
    drawer = torch.randint(DRAWERS, (count,), generator=g)
    ids = torch.multinomial(taste.softmax(1)[drawer], LONGEST, replacement=True, generator=g)
    length = torch.randint(5, LONGEST, (count, 1), generator=g)
    return TensorDataset(ids.masked_fill(torch.arange(LONGEST) >= length, PAD), drawer)


class Sorter(nn.Module):
    def __init__(self, fixed):
        super().__init__()
        self.fixed = fixed
        self.words, self.spots = nn.Embedding(WORDS, DIM), nn.Embedding(LONGEST, DIM)
        self.query = nn.Parameter(0.1 * torch.randn(1, 1, DIM))
        self.attention = nn.MultiheadAttention(DIM, 4, batch_first=True)
        self.out = nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, DIM), nn.GELU(), nn.Linear(DIM, DRAWERS))

    def forward(self, ids):
        x = self.words(ids) + self.spots(torch.arange(ids.shape[1]))
        mask = ids == PAD if self.fixed else ids != PAD
        y, _ = self.attention(self.query.expand(len(ids), -1, -1), x, x, key_padding_mask=mask)
        return self.out(y[:, 0])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(23)
    model = Sorter(fixed)
    g = torch.Generator().manual_seed(23)
    return {
        "model": model,
        "train": DataLoader(notes(3000, 1), 50, shuffle=True, generator=g),
        "val": DataLoader(notes(500, 2), 100),
        "test": DataLoader(notes(500, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01),
        "epochs": 5,
        "task": "classification",
    }
