"""Full-batch training: one batch, one update per epoch, 150 epochs."""

from typing import Any

import numpy as np
import torch
from torch import nn


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1200, 5)).astype(np.float32)
    y = np.tanh(x[:, :1] * x[:, 1:2]) + 0.5 * x[:, 2:3] + rng.normal(0, 0.1, (1200, 1))
    x, y = torch.from_numpy(x), torch.tensor(y, dtype=torch.float32)
    model = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 1))
    return {
        "model": model,
        "train": [(x[:800], y[:800])],
        "val": [(x[800:1000], y[800:1000])],
        "test": [(x[1000:], y[1000:])],
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=0.03),
        "epochs": 200,
        "task": "regression",
    }
