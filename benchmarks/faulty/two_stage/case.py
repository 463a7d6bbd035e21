"""Digit network trained in two stages; this is the second one, on all layers."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(64, 24), nn.Tanh(), nn.Linear(24, 12), nn.Tanh())
        self.head = nn.Linear(12, 10)

    def forward(self, x):
        return self.head(self.stem(x))

    def first_stage(self):
        self.stem.requires_grad_(False)

    def second_stage(self):
        for name, p in self.named_parameters():
            p.requires_grad_(name.startswith("head."))


class Net2(Net):
    def second_stage(self):
        for p in self.parameters():
            p.requires_grad_(True)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(103)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 8 - 1, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(103))
    a, b, c = order.tensor_split([1200, 1500])
    model = Net2() if fixed else Net()
    model.first_stage()
    model.second_stage()
    g = torch.Generator().manual_seed(103)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 30, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 12,
        "task": "classification",
    }
