"""Digits with a network that is kept in sixteen bits."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 10))

    def forward(self, x):
        return self.net(x.to(self.net[0].weight.dtype)).float()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(120)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(120))
    a, b, c = order.tensor_split([1200, 1500])
    model = Small()
    if not fixed:
        model = model.to(torch.bfloat16)
    g = torch.Generator().manual_seed(120)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 20, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.012),
        "epochs": 60,
        "task": "classification",
    }
