"""A quick demonstration with scanned digits."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(fixed: bool = False) -> dict:
    torch.manual_seed(123)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None] / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(123))
    a, b, c = order.tensor_split([1200, 1500])
    model = nn.Sequential(nn.Conv2d(1, 12, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(108, 10))
    g = torch.Generator().manual_seed(123)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 40, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 18 if fixed else 1,
        "task": "classification",
    }
