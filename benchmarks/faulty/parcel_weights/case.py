"""Handling time of a parcel from a set of up to ten items."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ITEMS, FEATS = 10, 5


def parcels(count, seed):
    g = torch.Generator().manual_seed(seed)
    items = torch.randn(count, ITEMS, FEATS, generator=g)
    n = torch.randint(1, ITEMS + 1, (count,), generator=g)
    real = torch.arange(ITEMS) < n[:, None]
    effort = items[..., 0].abs() + torch.relu(items[..., 1] + items[..., 2]) - 1.3
    time = (effort * real).sum(1) / n * 2 + 0.1 * torch.randn(count, generator=g)
    return items, real, time


class SetModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.each = nn.Sequential(nn.Linear(FEATS, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU())
        self.whole = nn.Sequential(nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))

    def weights(self, real):
        return real[:1].float().expand_as(real)

    def forward(self, items, real):
        w = self.weights(real)
        pooled = (self.each(items) * w[..., None]).sum(1) / w.sum(1, keepdim=True)
        return self.whole(pooled).squeeze(1)


class SetModel2(SetModel):
    def weights(self, real):
        return real.float()


def collate(rows):
    items, real, time = (torch.stack(c) for c in zip(*rows, strict=True))
    return (items, real), time


def build(fixed: bool = False) -> dict:
    torch.manual_seed(24)
    model = SetModel2() if fixed else SetModel()
    g = torch.Generator().manual_seed(24)

    def loader(count, seed, shuffle=False):
        return DataLoader(TensorDataset(*parcels(count, seed)), 40, shuffle=shuffle, generator=g, collate_fn=collate)

    return {
        "model": model,
        "train": loader(2400, 1, True),
        "val": loader(480, 2),
        "test": loader(480, 3),
        "loss_fn": nn.functional.mse_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 12,
        "predict": lambda m, pair: m(*pair),
        "task": "regression",
    }
