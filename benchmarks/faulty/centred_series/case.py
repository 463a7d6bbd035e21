"""Slope of short noisy series; the network shifts and stretches its input first."""

import torch
from torch import nn

LENGTH = 16


def series(count, seed):
    g = torch.Generator().manual_seed(seed)
    slope = torch.randn(count, 1, generator=g)
    t = torch.linspace(-1, 1, LENGTH)
    x = 3 + slope * t + 0.3 * slope**2 * t**2 + 0.4 * torch.randn(count, LENGTH, generator=g)
    return x, slope


class Slope(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(LENGTH, 48), nn.Tanh(), nn.Linear(48, 1))

    def prepare(self, x):
        return x.sub_(3.0).mul_(1.3)

    def forward(self, x):
        return self.net(self.prepare(x))


class Slope2(Slope):
    def prepare(self, x):
        return x.sub(3.0).mul(1.3)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(76)
    model = Slope2() if fixed else Slope()

    def batches(count, seed, size):
        return [(a.clone(), b) for a, b in zip(*(t.split(size) for t in series(count, seed)), strict=True)]

    return {
        "model": model,
        "train": batches(1600, 1, 32),
        "val": batches(400, 2, 100),
        "test": batches(400, 3, 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 12,
        "task": "regression",
    }
