"""Tissue samples: thirty measurements, benign or not."""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Flag(nn.Module):
    def __init__(self, last):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(30, 12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 1), last)

    def forward(self, x):
        return self.body(x).squeeze(1)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(7)
    data = load_breast_cancer()
    x, y = torch.tensor(data.data, dtype=torch.float32), torch.tensor(data.target, dtype=torch.float32)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(7))
    parts = order[:350], order[350:460], order[460:]
    x = (x - x[parts[0]].mean(0)) / x[parts[0]].std(0)
    model = Flag(nn.Identity() if fixed else nn.Sigmoid())
    g = torch.Generator().manual_seed(7)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 16, shuffle=p is parts[0], generator=g) for p in parts)
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 15,
        "task": "binary",
    }
