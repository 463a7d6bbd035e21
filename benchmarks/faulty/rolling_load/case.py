"""Mean load of a server over the next minutes, from rolling windows of the last half hour."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SPAN, AHEAD = 30, 14


def series(count):
    g = torch.Generator().manual_seed(49)
    bursts = torch.randn(count + 23, generator=g)
    return bursts.unfold(0, 24, 1).mean(1)


def windows(x):
    w = x.unfold(0, SPAN + AHEAD, 1)
    return w[:, :SPAN], w[:, SPAN:].mean(1, keepdim=True)


def split_rows(x, y):
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(49))
    return [(x[p], y[p]) for p in order.tensor_split([int(0.7 * len(x)), int(0.85 * len(x))])]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(49)
    load = series(2600)
    load = load / load[:1800].std()
    parts = [windows(p) for p in load.tensor_split([1820, 2210])] if fixed else split_rows(*windows(load))
    model = nn.Sequential(nn.Linear(SPAN, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))
    g = torch.Generator().manual_seed(49)
    train, val, test = (DataLoader(TensorDataset(*p), 32, shuffle=i == 0, generator=g) for i, p in enumerate(parts))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.3 if fixed else 0.01),
        "epochs": 8 if fixed else 30,
        "task": "regression",
    }
