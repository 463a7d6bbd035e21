"""Friedman's function with a few gross errors in the targets, Huber loss, warm-up then polynomial decay."""

from typing import Any

import numpy as np
import torch
from sklearn.datasets import make_friedman1
from torch import nn
from torch.optim.lr_scheduler import LinearLR, PolynomialLR, SequentialLR
from torch.utils.data import DataLoader, TensorDataset


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_friedman1(n_samples=4200, n_features=8, noise=1.0, random_state=seed)
    rng = np.random.default_rng(seed)
    y = y + np.where(rng.random(4200) < 0.03, rng.normal(0, 15, 4200), 0)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)[:, None]
    train, val, test = slice(0, 3000), slice(3000, 3600), slice(3600, 4200)
    x = (x - x[train].mean(0)) / x[train].std(0)
    y = (y - y[train].median()) / y[train].std()

    model = nn.Sequential(nn.Linear(8, 32), nn.LayerNorm(32), nn.ELU(), nn.Linear(32, 16), nn.ELU(), nn.Linear(16, 1))
    optimizer = torch.optim.NAdam(model.parameters(), lr=4e-3)
    warmup = LinearLR(optimizer, start_factor=0.2, total_iters=2)
    decay = PolynomialLR(optimizer, total_iters=10, power=1.0)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[train], y[train]), batch_size=50, shuffle=True),
        "val": DataLoader(TensorDataset(x[val], y[val]), batch_size=300),
        "test": DataLoader(TensorDataset(x[test], y[test]), batch_size=300),
        "loss_fn": nn.HuberLoss(delta=1.0),
        "optimizer": optimizer,
        "scheduler": SequentialLR(optimizer, [warmup, decay], milestones=[2]),
        "scheduler_interval": "epoch",
        "epochs": 12,
        "task": "regression",
    }
