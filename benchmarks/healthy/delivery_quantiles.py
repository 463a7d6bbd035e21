"""Delivery time: three quantiles (10, 50 and 90 percent) of a skewed spread, pinball loss."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


class PinballLoss(nn.Module):
    def forward(self, outputs, targets):
        error = targets.unsqueeze(1) - outputs
        return torch.maximum(QUANTILES * error, (QUANTILES - 1) * error).mean()


class QuantileNet(nn.Module):
    """The outer quantiles are the median minus and plus a positive distance, so they never cross."""

    def __init__(self, features=5):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, x):
        middle, below, above = self.body(x).unbind(1)
        spread = nn.functional.softplus
        return torch.stack([middle - spread(below), middle, middle + spread(above)], dim=1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, (3000, 5))
    minutes = 15 + 4 * x[:, 0] + 2 * x[:, 1] * (x[:, 2] > 5) + rng.gamma(2, 0.5 + 0.5 * x[:, 3])
    x = (x - x[:2200].mean(0)) / x[:2200].std(0)
    y = (minutes - minutes[:2200].mean()) / minutes[:2200].std()
    x, y = torch.from_numpy(x).float(), torch.from_numpy(y).float()
    cuts = {"train": (0, 2200), "val": (2200, 2600), "test": (2600, 3000)}
    model = QuantileNet()
    return {
        "model": model,
        **{k: DataLoader(TensorDataset(x[a:b], y[a:b]), 50, shuffle=k == "train") for k, (a, b) in cuts.items()},
        "loss_fn": PinballLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 15,
        "task": "regression",
    }
