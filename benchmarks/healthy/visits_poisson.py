"""Visits per day as counts: the network gives the log rate, Poisson negative log-likelihood."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RateNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 24)
        self.log_rate = nn.Linear(24, 1)

    def forward(self, x):
        return self.log_rate(torch.relu(self.hidden(x))).squeeze(1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    weather = rng.normal(15, 8, (4000, 1))
    others = rng.normal(size=(4000, 3))
    day = rng.uniform(0, 7, (4000, 1))
    x = np.hstack([weather, others, np.sin(day * 2 * np.pi / 7), np.cos(day * 2 * np.pi / 7)])
    rate = np.exp(1.2 + 0.03 * (weather[:, 0] - 15) + 0.4 * x[:, 4] - 0.3 * others[:, 0] * (others[:, 1] > 0))
    visits = torch.tensor(rng.poisson(rate), dtype=torch.float32)
    x = torch.tensor((x - x[:3000].mean(0)) / x[:3000].std(0), dtype=torch.float32)
    model = RateNet()
    splits = {"train": slice(3000), "val": slice(3000, 3500), "test": slice(3500, 4000)}
    return {
        "model": model,
        **{k: DataLoader(TensorDataset(x[s], visits[s]), 50, shuffle=k == "train") for k, s in splits.items()},
        "loss_fn": nn.PoissonNLLLoss(log_input=True, full=True),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 12,
        "task": "regression",
    }
