"""Compress digit images to eight numbers and restore them."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.images[index]


class AutoEncoder(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, code))
        self.decoder = nn.Sequential(nn.Linear(code, 64), nn.ReLU(), nn.Linear(64, 64))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    images = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    images = images[torch.randperm(len(images))]
    model = AutoEncoder()
    return {
        "model": model,
        "train": DataLoader(Images(images[:1300]), batch_size=32, shuffle=True),
        "val": DataLoader(Images(images[1300:1550]), batch_size=250),
        "test": DataLoader(Images(images[1550:]), batch_size=250),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 25,
        "task": "regression",
    }
