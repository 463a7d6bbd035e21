"""Digits by a network whose units start with a threshold."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Thrifty(nn.Module):
    def __init__(self, threshold):
        super().__init__()
        self.first, self.second, self.out = nn.Linear(64, 64), nn.Linear(64, 32), nn.Linear(32, 10)
        nn.init.constant_(self.first.bias, -threshold)

    def forward(self, x):
        return self.out(torch.relu(self.second(torch.relu(self.first(x)))))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(114)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32), torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(114))
    a, b, c = order.tensor_split([1200, 1500])
    x = (x - x[a].mean()) / x[a].std()
    model = Thrifty(0.0 if fixed else 2.6)
    g = torch.Generator().manual_seed(114)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 30, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 8,
        "task": "classification",
    }
