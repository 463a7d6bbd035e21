"""Motor state from a short vibration trace: one-dimensional convolutions."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STATES, TRACE = 5, 48


def traces(count, seed):
    g = torch.Generator().manual_seed(seed)
    state = torch.randint(STATES, (count,), generator=g)
    speed = 0.22 + 0.16 * state + 0.05 * torch.randn(count, generator=g)
    phase = torch.rand(count, generator=g) * 2 * math.pi
    x = torch.sin(speed[:, None] * torch.arange(TRACE) + phase[:, None])
    return TensorDataset((x + 0.5 * torch.randn(count, TRACE, generator=g))[:, None], state)


class MotorNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(1, 16, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2))
        self.more = nn.Sequential(nn.Conv1d(16, 24, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1))
        self.head = nn.Linear(24, STATES)

    def forward(self, x):
        return self.head(self.more(self.body(x)).flatten(1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(18)
    model = MotorNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    g = torch.Generator().manual_seed(18)
    return {
        "model": model,
        "train": DataLoader(traces(1600, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(traces(400, 2), 100),
        "test": DataLoader(traces(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.85),
        "scheduler_interval": "epoch" if fixed else "step",
        "epochs": 14,
        "task": "classification",
    }
