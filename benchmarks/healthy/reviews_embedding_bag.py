"""Positive or negative? Bag-of-words reviews as one flat list of word ids plus offsets."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader

WORDS = 200


def reviews(count, gen):
    tone = torch.randn(WORDS, generator=torch.Generator().manual_seed(6)) * 0.5
    found = []
    for _ in range(count):
        label = int(torch.randint(2, (1,), generator=gen))
        length = int(torch.randint(12, 30, (1,), generator=gen))
        odds = torch.exp(tone if label else -tone)
        found.append((torch.multinomial(odds, length, replacement=True, generator=gen), label))
    return found


def collate(rows):
    texts, labels = zip(*rows, strict=True)
    offsets = torch.tensor([0] + [len(t) for t in texts[:-1]]).cumsum(0)
    return {"input": (torch.cat(texts), offsets), "target": torch.tensor(labels, dtype=torch.float32)}


class BagClassifier(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.bag = nn.EmbeddingBag(WORDS, dim, mode="mean")
        self.out = nn.Linear(dim, 1)

    def forward(self, ids, offsets):
        return self.out(self.bag(ids, offsets)).squeeze(1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    model = BagClassifier()
    return {
        "model": model,
        "train": DataLoader(reviews(1500, gen), batch_size=32, shuffle=True, collate_fn=collate),
        "val": DataLoader(reviews(300, gen), batch_size=100, collate_fn=collate),
        "test": DataLoader(reviews(300, gen), batch_size=100, collate_fn=collate),
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adagrad(model.parameters(), lr=0.1),
        "epochs": 10,
        "predict": lambda m, inputs: m(*inputs),
        "task": "binary",
    }
