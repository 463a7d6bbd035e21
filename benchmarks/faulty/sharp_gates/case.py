"""Roughness of a surface from twelve readings, through gates between 0 and 1."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def surfaces(count, seed):
    w = torch.randn(12, 4, generator=torch.Generator().manual_seed(115)) / 12**0.5
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 12, generator=g)
    z = x @ w
    return TensorDataset(x, torch.tanh(z[:, :2]) + z[:, 2:] + 0.2 * torch.randn(count, 2, generator=g))


class Gates(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.gain = gain
        self.a, self.b, self.out = nn.Linear(12, 48), nn.Linear(48, 48), nn.Linear(48, 2)

    def forward(self, x):
        h = torch.sigmoid(self.gain * self.a(x))
        return self.out(torch.sigmoid(self.gain * self.b(2 * h - 1)))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(115)
    model = Gates(1.0 if fixed else 60.0)
    g = torch.Generator().manual_seed(115)
    return {
        "model": model,
        "train": DataLoader(surfaces(2000, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(surfaces(400, 2), 100),
        "test": DataLoader(surfaces(400, 3), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 12,
        "task": "regression",
    }
