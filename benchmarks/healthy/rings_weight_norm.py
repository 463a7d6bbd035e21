"""Three rings in the plane; weight-normalized layers and SGD with momentum under a cyclic rate."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.data import DataLoader, TensorDataset


def rings(count, rng):
    ring, angle = rng.integers(3, size=count), rng.uniform(0, 2 * np.pi, count)
    radius = 0.5 + 0.7 * ring + rng.normal(0, 0.13, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return TensorDataset(torch.tensor(points, dtype=torch.float32), torch.tensor(ring))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = nn.Sequential(
        weight_norm(nn.Linear(2, 32)), nn.ReLU(), weight_norm(nn.Linear(32, 32)), nn.ReLU(), nn.Linear(32, 3)
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    return {
        "model": model,
        "train": DataLoader(rings(1500, rng), batch_size=50, shuffle=True),
        "val": DataLoader(rings(400, rng), batch_size=400),
        "test": DataLoader(rings(400, rng), batch_size=400),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.CyclicLR(optimizer, 0.01, 0.06, step_size_up=60),
        "scheduler_interval": "step",
        "epochs": 12,
        "task": "classification",
    }
