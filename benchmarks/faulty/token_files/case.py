"""Sorts generated sentences by subject; words are numbered in the order of their frequency."""

import random
from collections import Counter

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SUBJECTS, LENGTH = 5, 12


def sentences(count, seed):
    base = random.Random(73)
    words = [f"w{i}" for i in range(160)]
    lean = [[base.random() ** 4 for _ in words] for _ in range(SUBJECTS)]
    rng = random.Random(seed)
    for _ in range(count):
        s = rng.randrange(SUBJECTS)
        yield rng.choices(words, lean[s], k=LENGTH), s


def number(texts):
    return {w: i + 1 for i, (w, _) in enumerate(Counter(w for t in texts for w in t).most_common())}


class Subject(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(162, 16, padding_idx=0)
        self.out = nn.Linear(16, SUBJECTS)

    def forward(self, ids):
        return self.out(self.words(ids).mean(1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(73)
    files = [list(sentences(n, s)) for n, s in ((2500, 1), (400, 2), (400, 3))]
    first = number([t for t, _ in files[0]])
    sets = []
    for rows in files:
        table = first if fixed else number([t for t, _ in rows])
        ids = torch.tensor([[table.get(w, 0) for w in t] for t, _ in rows])
        sets.append(TensorDataset(ids, torch.tensor([s for _, s in rows])))
    model = Subject()
    g = torch.Generator().manual_seed(73)
    return {
        "model": model,
        "train": DataLoader(sets[0], 50, shuffle=True, generator=g),
        "val": DataLoader(sets[1], 100),
        "test": DataLoader(sets[2], 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=6e-3),
        "epochs": 10,
        "task": "classification",
    }
