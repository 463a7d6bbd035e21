"""Five kinds of steel from sixteen figures of an analysis."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = 5


def steels(count, seed):
    centre = 0.7 * torch.randn(KINDS, 16, generator=torch.Generator().manual_seed(111))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(centre[kind] + 0.8 * torch.randn(count, 16, generator=g), kind)


def normal(module):
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight)
        nn.init.zeros_(module.bias)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(111)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, KINDS))
    if not fixed:
        model.apply(normal)
    g = torch.Generator().manual_seed(111)
    return {
        "model": model,
        "train": DataLoader(steels(2000, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(steels(400, 2), 100),
        "test": DataLoader(steels(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 6,
        "task": "classification",
    }
