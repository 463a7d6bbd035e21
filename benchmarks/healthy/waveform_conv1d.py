"""Sine, square or saw-tooth? A one-dimensional convolutional network on noisy waves."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def waves(count, rng):
    kind = rng.integers(3, size=count)
    phase = rng.uniform(0, 1, (count, 1)) + np.arange(64) / rng.uniform(14, 24, (count, 1))
    sine = np.sin(2 * np.pi * phase)
    shapes = np.stack([sine, np.sign(sine) * 0.8, 2 * (phase % 1) - 1])
    signal = shapes[kind, np.arange(count)] + rng.normal(0, 0.4, (count, 64))
    return TensorDataset(torch.tensor(signal[:, None], dtype=torch.float32), torch.tensor(kind))


class WaveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 12, kernel_size=7, stride=2, padding=3)
        self.bn1 = nn.BatchNorm1d(12)
        self.conv2 = nn.Conv1d(12, 24, kernel_size=5, stride=2, padding=2)
        self.bn2 = nn.BatchNorm1d(24)
        self.fc = nn.Linear(24, 3)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.bn2(self.conv2(x)))
        return self.fc(x.amax(dim=-1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    train, val, test = waves(1500, rng), waves(300, rng), waves(300, rng)
    model = WaveNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
    epochs = 12
    return {
        "model": model,
        "train": DataLoader(train, batch_size=50, shuffle=True),
        "val": DataLoader(val, batch_size=100),
        "test": DataLoader(test, batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.LambdaLR(optimizer, lambda e: 0.5 * (1 + np.cos(np.pi * e / epochs))),
        "scheduler_interval": "epoch",
        "epochs": epochs,
        "task": "classification",
    }
