"""Impedance of a circuit (Friedman's second function) under L1 loss, Adam with amsgrad."""

from typing import Any

import torch
from sklearn.datasets import make_friedman2
from sklearn.preprocessing import StandardScaler
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.body(x)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_friedman2(n_samples=1500, noise=60.0, random_state=seed)
    x_scaler, y_scaler = StandardScaler().fit(x[:1000]), StandardScaler().fit(y[:1000, None])
    x = torch.tensor(x_scaler.transform(x), dtype=torch.float32)
    y = torch.tensor(y_scaler.transform(y[:, None])[:, 0], dtype=torch.float32)

    def batches(first, last, size):
        return [
            {"input": a, "target": b} for a, b in zip(x[first:last].split(size), y[first:last].split(size), strict=True)
        ]

    model = nn.Sequential(nn.Linear(4, 24), Residual(24), Residual(24), nn.Linear(24, 1), nn.Flatten(0))
    return {
        "model": model,
        "train": batches(0, 1000, 25),
        "val": batches(1000, 1250, 250),
        "test": batches(1250, 1500, 250),
        "loss_fn": nn.L1Loss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3, amsgrad=True),
        "epochs": 15,
        "task": "regression",
    }
