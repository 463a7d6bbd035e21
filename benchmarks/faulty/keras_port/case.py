"""A convolutional digit reader ported from another framework."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def block(a, b, share):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b, momentum=share), nn.ReLU())


def build(fixed: bool = False) -> dict:
    torch.manual_seed(43)
    share = 0.1 if fixed else 1e-3
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None], torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(43))
    x, y = x[order] / 16, y[order]
    model = nn.Sequential(block(1, 8, share), block(8, 16, share), nn.MaxPool2d(2), block(16, 16, share))
    model.extend([nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(64, 10)])
    g = torch.Generator().manual_seed(43)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1100], y[:1100]), 32, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1100:1450], y[1100:1450]), 70),
        "test": DataLoader(TensorDataset(x[1450:], y[1450:]), 70),
        "loss_fn": nn.CrossEntropyLoss(label_smoothing=0.05),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 8,
        "task": "classification",
    }
