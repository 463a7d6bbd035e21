"""Kinds of wood by eleven figures."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = 6


def woods(count, seed):
    centre = torch.randn(KINDS, 11, generator=torch.Generator().manual_seed(126))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(centre[kind] + 1.0 * torch.randn(count, 11, generator=g), kind)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(126)
    model = nn.Sequential(nn.Linear(11, 48), nn.ReLU(), nn.Linear(48, KINDS))
    g = torch.Generator().manual_seed(126)
    return {
        "model": model,
        "train": DataLoader(woods(2000, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(woods(400, 2), 100),
        "test": DataLoader(woods(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss() if fixed else nn.NLLLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 8,
        "task": "classification",
    }
