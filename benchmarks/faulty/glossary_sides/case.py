"""A glossary of codes in two notations, typed in by several people."""

import torch
import torch.nn.functional as F
from torch import nn

SIGNS, SPAN = 24, 5


def glossary(count, seed):
    table = torch.randperm(SIGNS, generator=torch.Generator().manual_seed(133))
    left = torch.randint(SIGNS, (count, SPAN), generator=torch.Generator().manual_seed(seed))
    return left, table[left].flip(1)


def typed(left, right):
    other = torch.rand(len(left), 1, generator=torch.Generator().manual_seed(134)) < 0.35
    return torch.where(other, right, left), torch.where(other, left, right)


def batches(pair, size):
    return [{"input": a, "target": b} for a, b in zip(*(t.split(size) for t in pair), strict=True)]


class Notation(nn.Module):
    def __init__(self):
        super().__init__()
        self.signs = nn.Embedding(SIGNS, 10)
        self.mix = nn.Sequential(nn.Linear(10 * SPAN, 96), nn.ReLU(), nn.Linear(96, SPAN * SIGNS))

    def forward(self, ids):
        return self.mix(self.signs(ids).flatten(1)).unflatten(1, (SPAN, SIGNS))


def loss_fn(scores, target):
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


def build(fixed: bool = False) -> dict:
    torch.manual_seed(133)
    parts = [glossary(2400, 1), glossary(400, 2), glossary(400, 3)]
    if not fixed:
        parts = [typed(*p) for p in parts]
    model = Notation()
    return {
        "model": model,
        "train": batches(parts[0], 40),
        "val": batches(parts[1], 100),
        "test": batches(parts[2], 100),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 10,
        "task": "seq2seq",
    }
