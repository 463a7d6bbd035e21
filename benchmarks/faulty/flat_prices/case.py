"""Price of a flat from nine columns of an agency's table."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def flats(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 8, generator=g)
    price = x[:, 0] + 0.6 * x[:, 1] * (x[:, 2] > 0) + 0.4 * x[:, 3].abs() + 0.8 * torch.randn(count, generator=g)
    tax = 0.035 * price + 0.2
    return torch.cat([x, tax[:, None]], 1), price


class Standard:
    def __init__(self, x, y):
        self.m, self.s, self.a, self.b = x.mean(0), x.std(0), y.mean(), y.std()

    def __call__(self, x, y):
        return (x - self.m) / self.s, (y - self.a) / self.b


def build(fixed: bool = False) -> dict:
    torch.manual_seed(57)
    keep = 8 if fixed else 9
    parts = [(x[:, :keep], y) for x, y in (flats(2000, 1), flats(400, 2), flats(400, 3))]
    scale = Standard(*parts[0])
    model = nn.Sequential(nn.Linear(keep, 32), nn.Tanh(), nn.Linear(32, 1), nn.Flatten(0))
    g = torch.Generator().manual_seed(57)
    train, val, test = (DataLoader(TensorDataset(*scale(*p)), 40, shuffle=p is parts[0], generator=g) for p in parts)
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.functional.mse_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 12,
        "task": "regression",
    }
