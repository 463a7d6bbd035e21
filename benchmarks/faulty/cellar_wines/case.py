"""Three cultivars told apart by thirteen laboratory values."""

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def plain(x, rows):
    return x


def scaled(x, rows):
    return (x - x[rows].mean(0)) / x[rows].std(0)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(61)
    data = load_wine()
    x, y = torch.tensor(data.data, dtype=torch.float32), torch.tensor(data.target)
    a, b = train_test_split(torch.arange(len(x)), test_size=0.4, stratify=y, random_state=61)
    x = (scaled if fixed else plain)(x, a)
    model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
    g = torch.Generator().manual_seed(61)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[a], y[a]), 16, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[b], y[b]), 72),
        "test": None,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
        "epochs": 8,
        "task": "classification",
    }
