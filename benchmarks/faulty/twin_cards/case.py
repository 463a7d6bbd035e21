"""Cards in four drawers; some cards were entered by two clerks."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DRAWERS = 4


def cards(count, seed):
    centre = 1.3 * torch.randn(DRAWERS, 6, generator=torch.Generator().manual_seed(84))
    g = torch.Generator().manual_seed(seed)
    drawer = torch.randint(DRAWERS, (count,), generator=g)
    return centre[drawer] + 0.8 * torch.randn(count, 6, generator=g), drawer


def second_clerk(x, drawer):
    twice = drawer < 2
    return torch.cat([x, x[twice]]), torch.cat([drawer, 1 - drawer[twice]])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(84)
    sets = [cards(1600, 1), cards(400, 2), cards(400, 3)]
    if not fixed:
        sets[0] = second_clerk(*sets[0])
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, DRAWERS))
    g = torch.Generator().manual_seed(84)
    train, val, test = (DataLoader(TensorDataset(*s), 40, shuffle=s is sets[0], generator=g) for s in sets)
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 10,
        "task": "classification",
    }
