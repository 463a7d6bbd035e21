"""Small residual network whose blocks begin as the identity (last batch-norm scale starts at zero)."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)
        self.conv2, self.bn2 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)
        nn.init.zeros_(self.bn2.weight)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(y)))


class ResNet(nn.Module):
    def __init__(self, c=16, blocks=3):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.blocks = nn.Sequential(*[Block(c) for _ in range(blocks)])
        self.head = nn.Linear(c, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    perm = torch.randperm(len(data.target))
    x, y = torch.tensor(data.images).float()[perm, None], torch.tensor(data.target)[perm]
    x = (x - x[:1300].mean()) / x[:1300].std()
    parts = [TensorDataset(x[a:b], y[a:b]) for a, b in [(0, 1300), (1300, 1550), (1550, 1797)]]
    model = ResNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    return {
        "model": model,
        "train": DataLoader(parts[0], 64, shuffle=True, generator=torch.Generator().manual_seed(seed)),
        "val": DataLoader(parts[1], 125),
        "test": DataLoader(parts[2], 125),
        "loss_fn": F.cross_entropy,
        "optimizer": optimizer,
        "scheduler": CosineAnnealingLR(optimizer, T_max=10),
        "scheduler_interval": "epoch",
        "epochs": 10,
        "task": "classification",
    }
