"""A periodic curve from fixed Fourier features, in double precision."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FourierNet(nn.Module):
    def __init__(self, frequencies=6, hidden=32):
        super().__init__()
        self.register_buffer("frequency", torch.arange(1.0, frequencies + 1) * torch.pi)
        self.net = nn.Sequential(nn.Linear(2 * frequencies, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, t):
        phase = t * self.frequency
        return self.net(torch.cat([phase.sin(), phase.cos()], dim=-1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    t = rng.uniform(-1, 1, (1800, 1))
    level = np.sin(3 * np.pi * t) + 0.5 * np.cos(5 * np.pi * t) * np.exp(np.sin(np.pi * t))
    level = level + rng.normal(0, 0.1, level.shape)
    t, level = torch.from_numpy(t), torch.from_numpy(level)
    model = FourierNet().double()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=5, T_mult=2)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(t[:1200], level[:1200]), batch_size=40, shuffle=True),
        "val": DataLoader(TensorDataset(t[1200:], level[1200:]), batch_size=300),
        "test": None,
        "loss_fn": nn.MSELoss(),
        "optimizer": optimizer,
        "scheduler": scheduler,
        "scheduler_interval": "epoch",
        "epochs": 15,
        "task": "regression",
    }
