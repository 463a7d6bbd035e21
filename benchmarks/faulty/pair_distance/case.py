"""Distance of two points after a learned map; a few pairs are one and the same print."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def pairs(count, seed, same=0.01):
    w = torch.randn(8, 3, generator=torch.Generator().manual_seed(117)) / 8**0.5
    g = torch.Generator().manual_seed(seed)
    a, b = torch.randn(count, 8, generator=g), torch.randn(count, 8, generator=g)
    b = torch.where(torch.rand(count, 1, generator=g) < same, a, b)
    return a, b, (torch.tanh(a @ w) - torch.tanh(b @ w)).norm(dim=1)


def collate(rows):
    a, b, d = (torch.stack(c) for c in zip(*rows, strict=True))
    return (a, b), d


class Distance(nn.Module):
    def __init__(self, floor):
        super().__init__()
        self.floor = floor
        self.map = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 6))

    def forward(self, a, b):
        return ((self.map(a) - self.map(b)).pow(2).sum(1) + self.floor).sqrt()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(117)
    model = Distance(1e-6 if fixed else 0.0)
    g = torch.Generator().manual_seed(117)

    def loader(count, seed, shuffle=False):
        return DataLoader(TensorDataset(*pairs(count, seed)), 40, shuffle=shuffle, generator=g, collate_fn=collate)

    return {
        "model": model,
        "train": loader(2000, 1, True),
        "val": loader(400, 2),
        "test": loader(400, 3),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 10,
        "predict": lambda m, pair: m(*pair),
        "task": "regression",
    }
