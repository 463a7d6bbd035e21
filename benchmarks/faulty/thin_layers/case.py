"""Compressive strength from eight ingredients, with thinned hidden layers."""

import torch
from sklearn.datasets import make_friedman1
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(fixed: bool = False) -> dict:
    torch.manual_seed(119)
    keep = 0.9 if fixed else 0.1
    x, y = make_friedman1(2000, 8, noise=1.0, random_state=119)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)[:, None]
    x = (x - x[:1400].mean(0)) / x[:1400].std(0)
    y = (y - y[:1400].mean()) / y[:1400].std()
    model = nn.Sequential(
        nn.Linear(8, 96),
        nn.ReLU(),
        nn.Dropout(1 - keep),
        nn.Linear(96, 48),
        nn.ReLU(),
        nn.Dropout(1 - keep),
        nn.Linear(48, 1),
    )
    g = torch.Generator().manual_seed(119)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1400], y[:1400]), 28, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1400:1700], y[1400:1700]), 100),
        "test": DataLoader(TensorDataset(x[1700:], y[1700:]), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 15,
        "task": "regression",
    }
