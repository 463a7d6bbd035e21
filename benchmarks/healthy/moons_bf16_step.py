"""Two moons; the author's training step runs the forward pass under bfloat16 autocast."""

from typing import Any

import torch
from sklearn.datasets import make_moons
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        logits = model(x)
    loss = loss_fn(logits.float(), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def moons(count, seed):
    x, y = make_moons(count, noise=0.2, random_state=seed)
    return torch.tensor(x - [0.5, 0.25], dtype=torch.float32), torch.tensor(y)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(2, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 2))
    return {
        "model": model,
        "train": DataLoader(TensorDataset(*moons(1200, 3 * seed)), batch_size=40, shuffle=True),
        "val": DataLoader(TensorDataset(*moons(400, 3 * seed + 1)), batch_size=200),
        "test": DataLoader(TensorDataset(*moons(400, 3 * seed + 2)), batch_size=200),
        "loss_fn": nn.functional.cross_entropy,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 20,
        "train_step": train_step,
        "task": "classification",
    }
