"""Glyphs with a normalized convolutional network."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(fixed: bool = False) -> dict:
    torch.manual_seed(121)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(121))
    a, b, c = order.tensor_split([1200, 1500])
    model = nn.Sequential(nn.Linear(64, 40), nn.BatchNorm1d(40), nn.ReLU(), nn.Linear(40, 24), nn.BatchNorm1d(24))
    model.extend([nn.ReLU(), nn.Linear(24, 10)])
    g = torch.Generator().manual_seed(121)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[a], y[a]), 32 if fixed else 2, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[b], y[b]), 100),
        "test": DataLoader(TensorDataset(x[c], y[c]), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
        "epochs": 8 if fixed else 3,
        "task": "classification",
    }
