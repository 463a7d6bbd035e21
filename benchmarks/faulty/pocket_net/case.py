"""Spirals of three colours, told apart by a small net."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def spirals(count, seed):
    g = torch.Generator().manual_seed(seed)
    colour = torch.randint(3, (count,), generator=g)
    r = 0.2 + torch.rand(count, generator=g)
    angle = 2.5 * r + colour * 2 * math.pi / 3 + 0.15 * torch.randn(count, generator=g)
    return TensorDataset(torch.stack([r * angle.cos(), r * angle.sin()], 1) * 1.8, colour)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(125)
    width = 32 if fixed else 1
    model = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 3))
    g = torch.Generator().manual_seed(125)
    return {
        "model": model,
        "train": DataLoader(spirals(1600, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(spirals(400, 2), 100),
        "test": DataLoader(spirals(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-2),
        "epochs": 14,
        "task": "classification",
    }
