"""Rent from two categorical columns (embedded) and four numeric ones."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Flats(Dataset):
    def __init__(self, district, kind, numbers, rent):
        self.categories = torch.tensor(np.stack([district, kind], 1))
        self.numbers = torch.tensor(numbers, dtype=torch.float32)
        self.rent = torch.tensor(rent, dtype=torch.float32)

    def __len__(self):
        return len(self.rent)

    def __getitem__(self, i):
        return (self.categories[i], self.numbers[i]), self.rent[i]


class RentNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.district, self.kind = nn.Embedding(12, 4), nn.Embedding(5, 2)
        self.mlp = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, categories, numbers):
        parts = [self.district(categories[:, 0]), self.kind(categories[:, 1]), numbers]
        return self.mlp(torch.cat(parts, dim=1)).squeeze(1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    n = 3000
    district, kind = rng.integers(12, size=n), rng.integers(5, size=n)
    numbers = np.stack([rng.gamma(6, 12, n), rng.integers(1900, 2024, n), rng.uniform(0, 9, n), rng.normal(3, 1, n)], 1)
    level = np.random.default_rng(9).normal(12, 3, 12)[district] * np.array([1, 1.1, 0.9, 1.3, 0.8])[kind]
    rent = level * numbers[:, 0] + 2 * (numbers[:, 1] - 1960) - 20 * numbers[:, 2] + rng.normal(0, 60, n)
    train, val, test = slice(0, 2200), slice(2200, 2600), slice(2600, n)
    numbers = (numbers - numbers[train].mean(0)) / numbers[train].std(0)
    rent = (rent - rent[train].mean()) / rent[train].std()
    model = RentNet()
    sets = [Flats(district[s], kind[s], numbers[s], rent[s]) for s in (train, val, test)]
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=50, shuffle=True),
        "val": DataLoader(sets[1], batch_size=200),
        "test": DataLoader(sets[2], batch_size=200),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=5e-3),
        "epochs": 15,
        "predict": lambda m, columns: m(*columns),
        "task": "regression",
    }
