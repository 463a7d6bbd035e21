"""Rare defects (5:1) with the positive class weighted in BCEWithLogitsLoss; batch norm and drop_last."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parts(count, rng):
    """A part is defective when its measurements leave an ellipse."""
    x = rng.normal(size=(count, 6)) * [3.0, 0.5, 1.0, 2.0, 10.0, 1.0] + [20.0, 1.0, 0.0, -4.0, 50.0, 0.0]
    score = ((x[:, 0] - 20) / 3) ** 2 + ((x[:, 1] - 1) / 0.5) ** 2 + rng.normal(0, 0.3, count)
    return x, (score > 3.58).astype(np.float32)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = parts(3000, np.random.default_rng(seed))
    mean, std = x[:2000].mean(0), x[:2000].std(0)
    x = torch.tensor((x - mean) / std, dtype=torch.float32)
    y = torch.tensor(y).view(-1, 1)
    negatives, positives = (y[:2000] == 0).sum(), (y[:2000] == 1).sum()
    model = nn.Sequential(
        nn.Linear(6, 32),
        nn.BatchNorm1d(32),
        nn.ReLU(),
        nn.Linear(32, 16),
        nn.BatchNorm1d(16),
        nn.ReLU(),
        nn.Linear(16, 1),
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:2000], y[:2000]), batch_size=64, shuffle=True, drop_last=True),
        "val": DataLoader(TensorDataset(x[2000:2500], y[2000:2500]), batch_size=250),
        "test": DataLoader(TensorDataset(x[2500:], y[2500:]), batch_size=250),
        "loss_fn": nn.BCEWithLogitsLoss(pos_weight=negatives / positives),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12),
        "scheduler_interval": "epoch",
        "epochs": 12,
        "task": "binary",
    }
