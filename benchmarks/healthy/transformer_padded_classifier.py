"""Transformer encoder over padded event sequences with a key-padding mask and masked mean pooling."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAD, EVENTS, LENGTH = 0, 30, 16


def histories(count, gen):
    """Three kinds of users, each with favourite events; half of all events are random."""
    kind = torch.randint(3, (count,), generator=gen)
    favourite = 1 + kind[:, None] * 4 + torch.randint(4, (count, LENGTH), generator=gen)
    anything = torch.randint(1, EVENTS, (count, LENGTH), generator=gen)
    events = torch.where(torch.rand(count, LENGTH, generator=gen) < 0.4, favourite, anything)
    length = torch.randint(8, LENGTH + 1, (count, 1), generator=gen)
    return events.masked_fill(torch.arange(LENGTH) >= length, PAD), kind


class Encoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embedding = nn.Embedding(EVENTS, dim, padding_idx=PAD)
        self.register_buffer("position", torch.randn(LENGTH, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, 2, 48, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.classifier = nn.Linear(dim, 3)

    def forward(self, events):
        padding = events == PAD
        x = self.embedding(events) + self.position[: events.shape[1]]
        x = self.encoder(x, src_key_padding_mask=padding)
        keep = (~padding).unsqueeze(-1).float()
        return self.classifier((x * keep).sum(1) / keep.sum(1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed + 100)
    events, kind = histories(2400, gen)
    sets = [TensorDataset(events[a:b], kind[a:b]) for a, b in ((0, 1800), (1800, 2100), (2100, 2400))]
    model = Encoder()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=50, shuffle=True, generator=gen),
        "val": DataLoader(sets[1], batch_size=100),
        "test": DataLoader(sets[2], batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "epochs": 8,
        "task": "classification",
    }
