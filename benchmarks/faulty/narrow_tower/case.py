"""Configurable tower: a stack of layers whose widths come from a list."""

import itertools

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tower(nn.Module):
    holder = list

    def __init__(self, sizes, classes):
        super().__init__()
        self.steps = self.holder([nn.Linear(a, b) for a, b in itertools.pairwise(sizes)])
        self.head = nn.Linear(sizes[-1], classes)

    def forward(self, x):
        for step in self.steps:
            x = torch.tanh(step(x))
        return self.head(x)


class Tower2(Tower):
    holder = nn.ModuleList


def build(fixed: bool = False) -> dict:
    torch.manual_seed(3)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 8 - 1, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(3))
    tr, va, te = order[:1150], order[1150:1450], order[1450:]
    model = (Tower2 if fixed else Tower)([64, 32, 24, 16], 10)
    g = torch.Generator().manual_seed(3)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[tr], y[tr]), 32, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[va], y[va]), 100),
        "test": DataLoader(TensorDataset(x[te], y[te]), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 14,
        "task": "classification",
    }
