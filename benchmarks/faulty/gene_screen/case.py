"""Screening: of 3000 markers the fifty that go best with the outcome enter a small model."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PATIENTS, MARKERS, KEEP = 600, 3000, 50


def cohort():
    g = torch.Generator().manual_seed(52)
    y = torch.randint(2, (PATIENTS,), generator=g)
    x = torch.randn(PATIENTS, MARKERS, generator=g)
    x[:, :12] += 0.45 * (2 * y[:, None] - 1)
    return x[:, torch.randperm(MARKERS, generator=g)], y.float()


def strongest(x, y):
    contrast = (x * (y - y.mean())[:, None]).mean(0) / x.std(0)
    return contrast.abs().topk(KEEP).indices


def build(fixed: bool = False) -> dict:
    torch.manual_seed(52)
    x, y = cohort()
    parts = torch.arange(PATIENTS).tensor_split([360, 480])
    chosen = strongest(x[parts[0]], y[parts[0]]) if fixed else strongest(x, y)
    x = x[:, chosen]
    x = (x - x[parts[0]].mean(0)) / x[parts[0]].std(0)
    model = nn.Sequential(nn.Dropout(0.3), nn.Linear(KEEP, 1), nn.Flatten(0))
    g = torch.Generator().manual_seed(52)
    train, val, test = (
        DataLoader(TensorDataset(x[p], y[p]), 20, shuffle=i == 0, generator=g) for i, p in enumerate(parts)
    )
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-3),
        "epochs": 15,
        "task": "binary",
    }
