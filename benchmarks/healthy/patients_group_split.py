"""Gait from repeated measurements per person; all measurements of a person are in one split."""

from typing import Any

import numpy as np
import torch
from sklearn.model_selection import GroupShuffleSplit
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def visits(rng, persons=250, each=8):
    person = np.repeat(np.arange(persons), each)
    base = rng.normal(0, 0.7, (persons, 8))[person]
    gait = rng.integers(3, size=len(person))
    effect = np.random.default_rng(1).normal(0, 1.5, (3, 8))[gait]
    return base + effect + rng.normal(0, 0.8, (len(person), 8)), gait, person


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y, person = visits(np.random.default_rng(seed))
    train, rest = next(GroupShuffleSplit(1, test_size=0.4, random_state=seed).split(x, y, person))
    half = np.isin(person[rest], np.unique(person[rest])[::2])
    val, test = rest[half], rest[~half]
    x = torch.tensor((x - x[train].mean(0)) / x[train].std(0), dtype=torch.float32)
    y = torch.tensor(y)
    model = nn.Sequential(nn.Linear(8, 16), nn.Mish(), nn.Dropout(0.1), nn.Linear(16, 3))
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[train], y[train]), batch_size=40, shuffle=True),
        "val": DataLoader(TensorDataset(x[val], y[val]), batch_size=100),
        "test": DataLoader(TensorDataset(x[test], y[test]), batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.1),
        "epochs": 12,
        "task": "classification",
    }
