"""Age of seedlings from nine camera readings; the input is normalized by the first layer."""

import torch
import torch.nn.functional as F
from torch import nn

SPREAD = torch.tensor([90.0, 40.0, 12.0, 200.0, 60.0, 30.0, 8.0, 15.0, 100.0])


def plants(count, seed):
    g = torch.Generator().manual_seed(seed)
    z = torch.randn(count, 9, generator=g)
    age = z[:, 0] + torch.relu(z[:, 1]) * z[:, 2] - 0.5 * z[:, 3].abs() + torch.tanh(z[:, 4] + z[:, 5])
    return z * SPREAD + 2 * SPREAD, (age + 0.3 * torch.randn(count, generator=g))[:, None] / 1.6


def batches(count, seed, size):
    x, y = plants(count, seed)
    return [{"input": a, "target": b} for a, b in zip(x.split(size), y.split(size), strict=True)]


def make_step(mode):
    def step(model, batch, loss_fn, optimizer):
        model.train(mode)
        loss = loss_fn(model(batch["input"]), batch["target"])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        return loss.detach().item()

    return step


def build(fixed: bool = False) -> dict:
    torch.manual_seed(42)
    model = nn.Sequential(nn.BatchNorm1d(9), nn.Linear(9, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, 32))
    model.extend([nn.ReLU(), nn.Linear(32, 1)])
    return {
        "model": model,
        "train": batches(2400, 1, 48),
        "val": batches(480, 2, 96),
        "test": batches(480, 3, 96),
        "loss_fn": F.mse_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 15,
        "train_step": make_step(fixed),
        "task": "regression",
    }
