"""Gradients of four small batches per update, each loss divided by four; clipped before the update."""

from typing import Any

import torch
from sklearn.datasets import make_regression
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AccumulatingStep:
    def __init__(self, rounds):
        self.rounds, self.calls = rounds, 0

    def __call__(self, model, batch, loss_fn, optimizer):
        model.train()
        x, y = batch
        loss = loss_fn(model(x), y)
        (loss / self.rounds).backward()
        self.calls += 1
        if self.calls % self.rounds == 0:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=5.0)
            optimizer.step()
            optimizer.zero_grad()
        return loss.item()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_regression(2200, 10, n_informative=6, noise=15.0, random_state=seed)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32).unsqueeze(1)
    y = y + 40 * (x[:, :1] * x[:, 1:2])
    mean, std = y[:1600].mean(), y[:1600].std()
    y = (y - mean) / std
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1600], y[:1600]), batch_size=16, shuffle=True, drop_last=True),
        "val": DataLoader(TensorDataset(x[1600:1900], y[1600:1900]), batch_size=100),
        "test": DataLoader(TensorDataset(x[1900:], y[1900:]), batch_size=100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=6e-3),
        "epochs": 20,
        "train_step": AccumulatingStep(4),
        "task": "regression",
    }
