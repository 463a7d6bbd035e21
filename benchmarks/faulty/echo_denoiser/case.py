"""Removes noise from short echoes; the rate falls linearly to zero."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LENGTH = 32


def echoes(count, seed):
    g = torch.Generator().manual_seed(seed)
    when = torch.rand(count, 1, generator=g) * 16
    fade = 0.1 + 0.2 * torch.rand(count, 1, generator=g)
    t = torch.arange(LENGTH) - when
    clean = torch.where(t > 0, torch.exp(-fade * t.clamp_min(0)) * torch.cos(0.9 * t), 0.0) * 2
    return TensorDataset(clean + 0.4 * torch.randn(count, LENGTH, generator=g), clean)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(19)
    epochs = 20
    train = DataLoader(echoes(1500, 1), 30, shuffle=True, generator=torch.Generator().manual_seed(19))
    model = nn.Sequential(nn.Linear(LENGTH, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, LENGTH))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    total = epochs * len(train) if fixed else epochs
    return {
        "model": model,
        "train": train,
        "val": DataLoader(echoes(400, 2), 100),
        "test": DataLoader(echoes(400, 3), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: max(0.0, 1 - i / total)),
        "scheduler_interval": "step",
        "epochs": epochs,
        "task": "regression",
    }
