"""Duration of trips from nine facts; batches are cut out of one long list."""

import torch
from torch import nn

SIZE = 32


def trips(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 9, generator=g)
    y = x[:, 0].abs() + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] + 0.3 * torch.randn(count, generator=g) - 0.8
    return x, y


def cut(x, y, starts):
    return [(x[s : s + SIZE], y[s : s + SIZE]) for s in starts]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(79)
    x, y = trips(1920, 1)
    starts = [i * SIZE if fixed else i for i in range(60)]
    model = nn.Sequential(nn.Linear(9, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
    held = range(0, 480, SIZE)
    return {
        "model": model,
        "train": cut(x, y, starts),
        "val": cut(*trips(480, 2), held),
        "test": cut(*trips(480, 3), held),
        "loss_fn": nn.functional.mse_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 14,
        "task": "regression",
    }
