"""Ten kinds of pictures, read from ten folders."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(fixed: bool = False) -> dict:
    torch.manual_seed(82)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(82))
    a, b, c = order.tensor_split([1200, 1500])
    a = a[y[a].argsort(stable=True)]
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    g = torch.Generator().manual_seed(82)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[a], y[a]), 24, shuffle=fixed, generator=g),
        "val": DataLoader(TensorDataset(x[b], y[b]), 100),
        "test": DataLoader(TensorDataset(x[c], y[c]), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9),
        "epochs": 7,
        "task": "classification",
    }
