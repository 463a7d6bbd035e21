"""Metric learning on digits: unit-length embeddings against class proxies, scaled cosine as logits."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CosineNet(nn.Module):
    def __init__(self, dim=16, scale=10.0):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.PReLU(), nn.Linear(64, dim))
        self.proxies = nn.Parameter(torch.randn(10, dim))
        self.scale = scale

    def embed(self, x):
        return F.normalize(self.encoder(x), dim=-1)

    def forward(self, x):
        return self.scale * self.embed(x) @ F.normalize(self.proxies, dim=-1).T


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = load_digits(return_X_y=True)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    train, rest = train_test_split(torch.arange(1797), train_size=1297, stratify=y, random_state=seed)
    val, test = rest[:250], rest[250:]
    x = (x - x[train].mean(0)) / x[train].std()
    model = CosineNet()
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[train], y[train]), batch_size=40, shuffle=True),
        "val": DataLoader(TensorDataset(x[val], y[val]), batch_size=250),
        "test": DataLoader(TensorDataset(x[test], y[test]), batch_size=250),
        "loss_fn": F.cross_entropy,
        "optimizer": torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01),
        "epochs": 8,
        "task": "classification",
    }
