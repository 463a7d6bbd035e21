"""Ordered grades A to E: one score and learned thresholds (cumulative logits), given as log-probabilities."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class OrdinalNet(nn.Module):
    def __init__(self, features=6, grades=5):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(features, 16), nn.Tanh(), nn.Linear(16, 1))
        self.first = nn.Parameter(torch.tensor(-1.5))
        self.gaps = nn.Parameter(torch.zeros(grades - 2))

    def forward(self, x):
        cuts = torch.cat([self.first[None], self.first + nn.functional.softplus(self.gaps).cumsum(0)])
        below = torch.sigmoid(cuts - self.score(x))
        edges = torch.cat([torch.zeros_like(below[:, :1]), below, torch.ones_like(below[:, :1])], dim=1)
        return edges.diff(dim=1).clamp_min(1e-6).log()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(3000, 6))
    skill = 2 * x[:, 0] - x[:, 1] + np.sin(2 * x[:, 2]) + 0.5 * x[:, 3] ** 2 + rng.logistic(0, 0.4, 3000)
    grade = np.digitize(skill, [-2.0, -0.3, 1.2, 2.8])
    data = TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(grade))
    train, val, test = torch.utils.data.random_split(data, [2000, 500, 500])
    model = OrdinalNet()
    return {
        "model": model,
        "train": DataLoader(train, batch_size=40, shuffle=True),
        "val": DataLoader(val, batch_size=250),
        "test": DataLoader(test, batch_size=250),
        "loss_fn": nn.NLLLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-2),
        "epochs": 12,
        "task": "classification",
    }
