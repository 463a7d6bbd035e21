"""Pump power from six readings; the rate rises over a ramp of epochs."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def pumps(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 6, generator=g)
    y = x[:, 0] * x[:, 1] + torch.sin(2 * x[:, 2]) + 0.5 * x[:, 3] + 0.3 * torch.randn(count, generator=g)
    return TensorDataset(x, y[:, None])


def share(epoch, ramp):
    return min(1, (epoch + 1) // ramp)


def share2(epoch, ramp):
    return min(1, (epoch + 1) / ramp)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(102)
    rule, ramp = (share2, 4) if fixed else (share, 40)
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    g = torch.Generator().manual_seed(102)
    return {
        "model": model,
        "train": DataLoader(pumps(2400, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(pumps(400, 2), 100),
        "test": DataLoader(pumps(400, 3), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.LambdaLR(optimizer, lambda e: rule(e, ramp)),
        "scheduler_interval": "epoch",
        "epochs": 16,
        "task": "regression",
    }
