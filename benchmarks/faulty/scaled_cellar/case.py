"""Humidity of a cellar from twelve drifting readings."""

import torch
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def readings(count):
    g = torch.Generator().manual_seed(54)
    z = torch.randn(count, 12, generator=g)
    y = torch.sin(z[:, 0]) + 0.5 * z[:, 1] * z[:, 2] + 0.5 * z[:, 3] + 0.25 * torch.randn(count, generator=g)
    drift = torch.linspace(0, 1.0, count)[:, None] * torch.randn(12, generator=g).sign() * (torch.arange(12) > 5)
    return ((z + drift) * 7 + 40).numpy(), y[:, None]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(54)
    x, y = readings(2000)
    scaler = StandardScaler().fit(x[:1400] if fixed else x)
    x = torch.tensor(scaler.transform(x), dtype=torch.float32)
    model = nn.Sequential(nn.Linear(12, 40), nn.GELU(), nn.Linear(40, 40), nn.GELU(), nn.Linear(40, 1))
    g = torch.Generator().manual_seed(54)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1400], y[:1400]), 35, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1400:1700], y[1400:1700]), 100),
        "test": DataLoader(TensorDataset(x[1700:], y[1700:]), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.1),
        "epochs": 12,
        "task": "regression",
    }
