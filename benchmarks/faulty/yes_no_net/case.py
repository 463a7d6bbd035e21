"""Will the ferry sail? One output for yes or no."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def days(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 6, generator=g)
    z = 1.5 * x[:, 0] - x[:, 1] * x[:, 2] + x[:, 3].abs() - 0.8 + 0.4 * torch.randn(count, generator=g)
    return TensorDataset(x, (z > 0).float()[:, None])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(127)
    model = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1))
    g = torch.Generator().manual_seed(127)
    return {
        "model": model,
        "train": DataLoader(days(2000, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(days(400, 2), 100),
        "test": DataLoader(days(400, 3), 100),
        "loss_fn": nn.BCEWithLogitsLoss() if fixed else nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 10,
        "task": "binary",
    }
