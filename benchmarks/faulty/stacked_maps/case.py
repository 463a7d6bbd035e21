"""Heat loss of a wall from five readings, three layers in a row."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Wall(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(5, 64), nn.Linear(64, 64), nn.Linear(64, 1)])

    def between(self, h):
        return h

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = self.between(layer(x))
        return self.layers[-1](x)


class Wall2(Wall):
    def between(self, h):
        return torch.relu(h)


def walls(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 5, generator=g)
    y = x[:, 0].abs() - 0.8 + x[:, 1] * x[:, 2] + 0.4 * x[:, 3] + 0.2 * torch.randn(count, generator=g)
    return TensorDataset(x, y[:, None])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(124)
    model = Wall2() if fixed else Wall()
    g = torch.Generator().manual_seed(124)
    return {
        "model": model,
        "train": DataLoader(walls(2400, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(walls(400, 2), 100),
        "test": DataLoader(walls(400, 3), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 12,
        "task": "regression",
    }
