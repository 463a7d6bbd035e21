"""Position of a two-link arm's hand and its distance from the base: three targets at once."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def arm(count, rng):
    q = rng.uniform(-np.pi / 2, np.pi / 2, (count, 2))
    hand_x = np.cos(q[:, 0]) + 0.7 * np.cos(q.sum(1))
    hand_y = np.sin(q[:, 0]) + 0.7 * np.sin(q.sum(1))
    target = np.stack([hand_x, hand_y, np.hypot(hand_x, hand_y)], axis=1)
    return q, target + rng.normal(0, 0.02, target.shape)


class Arm(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(hidden, 1) for _ in range(3))

    def forward(self, q):
        h = self.trunk(q)
        return torch.cat([head(h) for head in self.heads], dim=-1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    raw = [arm(n, rng) for n in (1500, 300, 300)]
    stats = [(a.mean(0), a.std(0)) for a in raw[0]]
    sets = []
    for pair in raw:
        scaled = [torch.tensor((a - m) / s, dtype=torch.float32) for a, (m, s) in zip(pair, stats, strict=True)]
        sets.append(TensorDataset(*scaled))
    model = Arm()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=50, shuffle=True),
        "val": DataLoader(sets[1], batch_size=300),
        "test": DataLoader(sets[2], batch_size=300),
        "loss_fn": nn.MSELoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20, eta_min=1e-4),
        "scheduler_interval": "epoch",
        "epochs": 20,
        "task": "regression",
    }
