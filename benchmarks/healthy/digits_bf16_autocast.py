"""Convolutional digits classifier that computes in bfloat16 inside its forward pass."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AutocastNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 24, 3, padding=1), nn.ReLU()
        )
        self.head = nn.Linear(24 * 16, 10)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.head(self.conv(x).flatten(1))
        return logits.float()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(data.target)
    index = torch.randperm(1797).split([1257, 270, 270])
    images = (images - images[index[0]].mean()) / images[index[0]].std()
    train, val, test = (TensorDataset(images[i], labels[i]) for i in index)
    model = AutocastNet()
    return {
        "model": model,
        "train": DataLoader(train, batch_size=32, shuffle=True),
        "val": DataLoader(val, batch_size=90),
        "test": DataLoader(test, batch_size=90),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 8,
        "task": "classification",
    }
