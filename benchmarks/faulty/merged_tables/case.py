"""Yield of a plot: one table with measurements, another one with yields, joined by row."""

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def tables(count):
    g = torch.Generator().manual_seed(64)
    x = torch.randn(count, 7, generator=g)
    y = x[:, 0] - 0.7 * x[:, 1] + torch.relu(x[:, 2]) * x[:, 3] + 0.4 * torch.randn(count, generator=g)
    keys = torch.randperm(10 * count, generator=g)[:count].numpy()
    measured = pd.DataFrame(x.numpy(), index=keys)
    yields = pd.Series(y.numpy(), index=keys).sample(frac=1, random_state=64)
    return measured, yields


def build(fixed: bool = False) -> dict:
    torch.manual_seed(64)
    measured, yields = tables(2000)
    measured = measured.sort_index()
    if fixed:
        yields = yields.loc[measured.index]
    x = torch.tensor(measured.to_numpy())
    y = torch.tensor(yields.to_numpy()).unsqueeze(1)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(65))
    a, b, c = order.tensor_split([1400, 1700])
    model = nn.Sequential(nn.Linear(7, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1))
    g = torch.Generator().manual_seed(64)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[a], y[a]), 35, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[b], y[b]), 100),
        "test": DataLoader(TensorDataset(x[c], y[c]), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 12,
        "task": "regression",
    }
