"""Two spirals in mini-batches of eight with layer norm and a small constant rate."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def spirals(count, gen):
    arm = torch.randint(2, (count,), generator=gen)
    turn = torch.rand(count, generator=gen).sqrt() * 4.5
    angle = turn + arm * torch.pi
    points = torch.stack([turn * angle.cos(), turn * angle.sin()], 1) / 2.5
    return TensorDataset(points + 0.06 * torch.randn(count, 2, generator=gen), arm)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    model = nn.Sequential(
        nn.Linear(2, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 2)
    )
    return {
        "model": model,
        "train": DataLoader(spirals(800, gen), batch_size=8, shuffle=True),
        "val": DataLoader(spirals(300, gen), batch_size=8),
        "test": DataLoader(spirals(300, gen), batch_size=8),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 20,
        "task": "classification",
    }
