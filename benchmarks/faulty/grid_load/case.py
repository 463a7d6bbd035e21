"""Grid load from five weather readings and the time of day."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def readings(count, seed):
    g = torch.Generator().manual_seed(seed)
    weather, hour = torch.randn(count, 5, generator=g), torch.rand(count, 1, generator=g) * 2 * math.pi
    load = 0.6 * weather[:, 0] + weather[:, 1].abs() - 0.8 + 0.5 * torch.sin(hour[:, 0]) * weather[:, 2]
    load = load + 0.3 * torch.cos(hour[:, 0]) + 0.3 * torch.randn(count, generator=g)
    return TensorDataset(torch.cat([weather, hour.sin(), hour.cos()], 1), load[:, None])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(33)
    model = nn.Sequential(nn.Linear(7, 64), nn.Tanh(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 1))
    g = torch.Generator().manual_seed(33)
    return {
        "model": model,
        "train": DataLoader(readings(2400, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(readings(500, 2), 100),
        "test": None,
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3 if fixed else 2e-6),
        "epochs": 15,
        "task": "regression",
    }
