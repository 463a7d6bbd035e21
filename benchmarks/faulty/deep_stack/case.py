"""Digits through a deep stack of equal layers."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def layer(a, b, modern):
    return nn.Sequential(nn.Linear(a, b), *([nn.BatchNorm1d(b), nn.ReLU()] if modern else [nn.Sigmoid()]))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(112)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 8 - 1, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(112))
    a, b, c = order.tensor_split([1200, 1500])
    model = nn.Sequential(layer(64, 40, fixed), *[layer(40, 40, fixed) for _ in range(6)], nn.Linear(40, 10))
    g = torch.Generator().manual_seed(112)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 40, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
        "epochs": 10,
        "task": "classification",
    }
