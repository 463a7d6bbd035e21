"""Transfer: features trained on the digits 0 to 4 are frozen, a new head learns 5 to 9."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TransferNet(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU()
        )
        self.head = nn.Linear(256, classes)

    def forward(self, x):
        return self.head(self.backbone(x).flatten(1))


def pretrain(model, x, y):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(4):
        for idx in torch.randperm(len(x)).split(50):
            optimizer.zero_grad()
            F.cross_entropy(model(x[idx]), y[idx]).backward()
            optimizer.step()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None] / 16 - 0.3, torch.tensor(data.target)
    model = TransferNet()
    pretrain(model, x[y < 5], y[y < 5])
    model.backbone.requires_grad_(False)
    model.head.reset_parameters()
    x, y = x[y >= 5], y[y >= 5] - 5
    train, val, test = torch.utils.data.random_split(TensorDataset(x, y), [0.6, 0.2, 0.2])
    return {
        "model": model,
        "train": DataLoader(train, batch_size=32, shuffle=True),
        "val": DataLoader(val, batch_size=200),
        "test": DataLoader(test, batch_size=200),
        "loss_fn": F.cross_entropy,
        "optimizer": torch.optim.Adam(model.head.parameters(), lr=3e-3),
        "epochs": 15,
        "task": "classification",
        "expected_frozen": ["backbone.*"],
    }
