"""Eight colours of cork from six reflectances."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

COLOURS = 8


def corks(count, seed):
    centre = 1.5 * torch.randn(COLOURS, 6, generator=torch.Generator().manual_seed(29))
    g = torch.Generator().manual_seed(seed)
    colour = torch.randint(COLOURS, (count,), generator=g)
    return TensorDataset(centre[colour] + 0.8 * torch.randn(count, 6, generator=g), colour)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(29)
    last = nn.LogSoftmax(dim=1 if fixed else 0)
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, COLOURS), last)
    g = torch.Generator().manual_seed(29)
    return {
        "model": model,
        "train": DataLoader(corks(1600, 1), 16, shuffle=True, generator=g),
        "val": DataLoader(corks(400, 2), 16),
        "test": DataLoader(corks(400, 3), 16),
        "loss_fn": nn.NLLLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 10,
        "task": "classification",
    }
