"""A frozen dense network, trained on upright digits, is adapted to mirrored ones by low-rank updates."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LowRank(nn.Module):
    def __init__(self, linear, rank=8):
        super().__init__()
        self.base = linear.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features**0.5)
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


def pretrained(x, y):
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(6):
        for idx in torch.randperm(len(x)).split(50):
            optimizer.zero_grad()
            F.cross_entropy(model(x[idx]), y[idx]).backward()
            optimizer.step()
    return model


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    order = torch.randperm(1797)
    images, y = torch.tensor(data.images, dtype=torch.float32)[order] / 16 - 0.3, torch.tensor(data.target)[order]
    base = pretrained(images[:600].flatten(1), y[:600])
    x = images.flip(-1).flatten(1)
    model = nn.Sequential(LowRank(base[0]), nn.ReLU(), LowRank(base[2]))
    trainable = [p for p in model.parameters() if p.requires_grad]
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1300], y[:1300]), batch_size=32, shuffle=True),
        "val": DataLoader(TensorDataset(x[1300:1550], y[1300:1550]), batch_size=250),
        "test": DataLoader(TensorDataset(x[1550:], y[1550:]), batch_size=250),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.AdamW(trainable, lr=3e-3, weight_decay=0.01),
        "epochs": 12,
        "task": "classification",
        "expected_frozen": ["*.base.*"],
    }
