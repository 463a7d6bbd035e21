"""An intrinsically noisy task: even the best possible rule is right three times out of four."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def customers(count, rng):
    x = rng.normal(size=(count, 4))
    likely = x[:, 0] * x[:, 1] + 0.5 * x[:, 2] > 0
    buys = rng.random(count) < np.where(likely, 0.75, 0.25)
    return TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(buys, dtype=torch.long))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
    return {
        "model": model,
        "train": DataLoader(customers(6000, rng), batch_size=100, shuffle=True),
        "val": DataLoader(customers(1500, rng), batch_size=500),
        "test": DataLoader(customers(1500, rng), batch_size=500),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "epochs": 10,
        "task": "classification",
    }
