"""District of an address line from its words."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, DISTRICTS, LENGTH, UNKNOWN = 600, 6, 8, 0


def lines(count, seed, lowest=1, highest=WORDS):
    home = torch.softmax(2.0 * torch.randn(DISTRICTS, WORDS, generator=torch.Generator().manual_seed(74)), 1)
    home[:, :lowest] = 0
    home[:, highest:] = 0
    g = torch.Generator().manual_seed(seed)
    district = torch.randint(DISTRICTS, (count,), generator=g)
    return torch.multinomial(home[district], LENGTH, replacement=True, generator=g), district


class District(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 16)
        self.out = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, DISTRICTS))

    def forward(self, ids):
        return self.out(self.words(ids).mean(1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(74)
    train, label = lines(3000, 1, highest=WORDS if fixed else 320)
    known = torch.zeros(WORDS, dtype=torch.bool)
    known[train.unique()] = True

    def held_out(seed):
        ids, district = lines(400, seed, lowest=1 if fixed else 200)
        return DataLoader(TensorDataset(torch.where(known[ids], ids, UNKNOWN), district), 100)

    model = District()
    g = torch.Generator().manual_seed(74)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(train, label), 50, shuffle=True, generator=g),
        "val": held_out(2),
        "test": held_out(3),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 7,
        "task": "classification",
    }
