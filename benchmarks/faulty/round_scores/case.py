"""Digit classifier with a home-made accuracy."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def hits(model, batches):
    model.eval()
    with torch.inference_mode():
        return [(int((model(x).argmax(1) == y).sum()), len(y)) for x, y in batches]


def accuracy(model, batches):
    found = hits(model, batches)
    return {"accuracy": sum(h for h, _ in found) / (len(found) * batches.batch_size)}


def accuracy2(model, batches):
    found = hits(model, batches)
    return {"accuracy": sum(h for h, _ in found) / sum(n for _, n in found)}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(60)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(60))
    x, y = x[order], y[order]
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))
    g = torch.Generator().manual_seed(60)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1200], y[:1200]), 24, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1200:1480], y[1200:1480]), 256),
        "test": DataLoader(TensorDataset(x[1480:], y[1480:]), 256),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 8,
        "evaluate": accuracy2 if fixed else accuracy,
        "task": "classification",
    }
