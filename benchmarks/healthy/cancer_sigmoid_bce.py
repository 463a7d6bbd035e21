"""Benign or malignant: the network ends in a sigmoid and is trained with BCELoss."""

from typing import Any

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    raw = load_breast_cancer()
    x = torch.tensor(raw.data, dtype=torch.float32)
    y = torch.tensor(raw.target, dtype=torch.float32).unsqueeze(1)
    train_ids, val_ids, test_ids = random_split(range(len(x)), [0.6, 0.2, 0.2])
    mean, std = x[train_ids.indices].mean(0), x[train_ids.indices].std(0)
    x = (x - mean) / std

    def take(ids):
        return TensorDataset(x[ids.indices], y[ids.indices])

    model = nn.Sequential(nn.Linear(30, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1), nn.Sigmoid())
    return {
        "model": model,
        "train": DataLoader(take(train_ids), batch_size=32, shuffle=True),
        "val": DataLoader(take(val_ids), batch_size=114),
        "test": DataLoader(take(test_ids), batch_size=114),
        "loss_fn": nn.BCELoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05),
        "epochs": 15,
        "task": "binary",
    }
