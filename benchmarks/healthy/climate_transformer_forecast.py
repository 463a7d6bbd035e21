"""Transformer encoder with learned positions forecasts the next six values from 24; time-ordered split."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAST, AHEAD = 24, 6


def windows(series, stride=2):
    frames = torch.tensor(series, dtype=torch.float32).unfold(0, PAST + AHEAD, stride)
    return TensorDataset(frames[:, :PAST, None].clone(), frames[:, PAST:].clone())


class Forecaster(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.inp = nn.Linear(1, dim)
        self.position = nn.Parameter(torch.randn(PAST, dim) * 0.1)
        self.attention = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(PAST * dim, AHEAD)

    def forward(self, past):
        x = self.inp(past) + self.position
        mixed, _ = self.attention(x, x, x, need_weights=False)
        return self.out(self.norm(x + mixed).flatten(1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    t = np.arange(5200)
    season = np.sin(2 * np.pi * t / 12 + 1) + 0.6 * np.sin(2 * np.pi * t / 17.3)
    series = 14 + 5 * season + rng.normal(0, 1.0, len(t))
    train, val, test = series[:4000], series[4060:4600], series[4660:]
    mean, std = train.mean(), train.std()
    model = Forecaster()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    epochs = 10
    loader = DataLoader(windows((train - mean) / std), batch_size=50, shuffle=True)
    return {
        "model": model,
        "train": loader,
        "val": DataLoader(windows((val - mean) / std), batch_size=128),
        "test": DataLoader(windows((test - mean) / std), batch_size=128),
        "loss_fn": nn.MSELoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * len(loader)),
        "scheduler_interval": "step",
        "epochs": epochs,
        "task": "regression",
    }
