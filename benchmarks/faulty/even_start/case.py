"""Moons told apart by a small network."""

import torch
from sklearn.datasets import make_moons
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def moons(count, seed):
    x, y = make_moons(count, noise=0.15, random_state=seed)
    x = torch.tensor(x, dtype=torch.float32) - torch.tensor([0.5, 0.25])
    return TensorDataset(x / torch.tensor([0.87, 0.5]), torch.tensor(y))


class Moon(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(2, 32), nn.Linear(32, 32), nn.Linear(32, 2)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x)))))


@torch.no_grad()
def start(module):
    if isinstance(module, nn.Linear):
        module.weight.fill_(0.05)
        module.bias.zero_()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(109)
    model = Moon()
    if not fixed:
        model.apply(start)
    g = torch.Generator().manual_seed(109)
    return {
        "model": model,
        "train": DataLoader(moons(1600, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(moons(400, 2), 100),
        "test": DataLoader(moons(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 14,
        "task": "classification",
    }
