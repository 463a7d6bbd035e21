"""Mean and spread of a sensor reading: two outputs, Gaussian negative log-likelihood."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MeanAndVariance(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.Tanh())
        self.mean, self.raw = nn.Linear(32, 1), nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), nn.functional.softplus(self.raw(h)).squeeze(-1) + 1e-3


def gaussian_nll(outputs, targets):
    mean, variance = outputs
    return nn.functional.gaussian_nll_loss(mean, targets, variance)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x = torch.randn(3000, 3)
    spread = 0.15 + 0.25 * torch.sigmoid(2 * x[:, 1])
    y = torch.sin(1.5 * x[:, 0]) + 0.4 * x[:, 2] + spread * torch.randn(3000)
    mean, std = y[:2000].mean(), y[:2000].std()
    data = TensorDataset(x, (y - mean) / std)
    train, val, test = (torch.utils.data.Subset(data, r) for r in (range(2000), range(2000, 2500), range(2500, 3000)))
    model = MeanAndVariance()
    return {
        "model": model,
        "train": DataLoader(train, batch_size=50, shuffle=True),
        "val": DataLoader(val, batch_size=250),
        "test": DataLoader(test, batch_size=250),
        "loss_fn": gaussian_nll,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 15,
        "task": "regression",
    }
