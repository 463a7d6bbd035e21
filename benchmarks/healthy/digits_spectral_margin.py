"""Digits with spectrally normalized layers and a multi-class margin (hinge) loss."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm
from torch.utils.data import DataLoader, TensorDataset


class SmoothNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = spectral_norm(nn.Linear(64, 64))
        self.second = spectral_norm(nn.Linear(64, 64))
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        x = nn.functional.leaky_relu(self.first(x), 0.1)
        return self.out(nn.functional.leaky_relu(self.second(x), 0.1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    perm = torch.randperm(1797)
    x, y = torch.tensor(data.data, dtype=torch.float32)[perm], torch.tensor(data.target)[perm]
    x = (x - x[:1300].mean()) / x[:1300].std()
    loaders = [
        DataLoader(TensorDataset(x[a:b], y[a:b]), batch_size=50, shuffle=a == 0)
        for a, b in ((0, 1300), (1300, 1550), (1550, 1797))
    ]
    model = SmoothNet()
    return {
        "model": model,
        **dict(zip(("train", "val", "test"), loaders, strict=True)),
        "loss_fn": nn.MultiMarginLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 12,
        "task": "classification",
    }
