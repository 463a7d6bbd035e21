"""Autoencoder that compresses a panel of 24 correlated sensors to 6 numbers."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def panel(count, seed):
    mix = torch.randn(5, 24, generator=torch.Generator().manual_seed(40)) / 5**0.5
    g = torch.Generator().manual_seed(seed)
    hidden = torch.randn(count, 5, generator=g)
    x = torch.tanh(hidden) @ mix * 1.6 + 0.15 * torch.randn(count, 24, generator=g)
    return TensorDataset(x, x.clone())


def weighted(outputs, targets):
    per_sensor = (outputs - targets).pow(2).mean(0)
    total = torch.tensor(0.0, requires_grad=True)
    return total + per_sensor.mean().item()


def weighted2(outputs, targets):
    per_sensor = (outputs - targets).pow(2).mean(0)
    total = torch.tensor(0.0, requires_grad=True)
    return total + per_sensor.mean()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(14)
    encoder = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 6))
    decoder = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 24))
    model = nn.Sequential(encoder, decoder)
    g = torch.Generator().manual_seed(14)
    return {
        "model": model,
        "train": DataLoader(panel(2000, 1), 50, shuffle=True, generator=g),
        "val": DataLoader(panel(400, 2), 100),
        "test": DataLoader(panel(400, 3), 100),
        "loss_fn": weighted2 if fixed else weighted,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 14,
        "task": "regression",
    }
