"""Four species, the rarest five times rarer than the most common; class weights in the cross entropy."""

from typing import Any

import torch
from sklearn.datasets import make_blobs
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    centers = torch.randn(4, 8, generator=torch.Generator().manual_seed(40)).mul(2.2).numpy()
    x, y = make_blobs([1500, 900, 450, 300], centers=centers, cluster_std=1.6, random_state=seed)
    order = torch.randperm(len(x))
    x, y = torch.tensor(x, dtype=torch.float32)[order], torch.tensor(y)[order]
    x = (x - x[:2200].mean(0)) / x[:2200].std(0)
    counts = torch.bincount(y[:2200]).float()
    model = nn.Sequential(nn.Linear(8, 24), nn.LeakyReLU(), nn.Linear(24, 4))
    train, val, test = (TensorDataset(x[s], y[s]) for s in (slice(2200), slice(2200, 2700), slice(2700, None)))
    return {
        "model": model,
        "train": DataLoader(train, batch_size=50, shuffle=True),
        "val": DataLoader(val, batch_size=500),
        "test": DataLoader(test, batch_size=500),
        "loss_fn": nn.CrossEntropyLoss(weight=counts.sum() / (4 * counts)),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True),
        "epochs": 10,
        "task": "classification",
    }
