"""Six kinds of gravel from fifteen sieve figures."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = 6


def gravel(count, seed):
    centre = 0.6 * torch.randn(KINDS, 15, generator=torch.Generator().manual_seed(118))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(centre[kind] + 0.7 * torch.randn(count, 15, generator=g), kind)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(118)
    model = nn.Sequential(nn.Linear(15, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, KINDS))
    decay = 5e-4 if fixed else 0.3
    g = torch.Generator().manual_seed(118)
    return {
        "model": model,
        "train": DataLoader(gravel(1800, 1), 36, shuffle=True, generator=g),
        "val": DataLoader(gravel(400, 2), 100),
        "test": DataLoader(gravel(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.015, momentum=0.9, weight_decay=decay),
        "epochs": 8,
        "task": "classification",
    }
