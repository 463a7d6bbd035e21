"""Mood of a speaker from a voice profile; every speaker was recorded six times."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SPEAKERS, TAKES, FEATS = 400, 6, 24


def recordings():
    g = torch.Generator().manual_seed(50)
    voice = torch.randn(SPEAKERS, FEATS, generator=g)
    lean = voice[:, :6].sum(1) / 6**0.5 + 0.5 * torch.randn(SPEAKERS, generator=g)
    x = voice.repeat_interleave(TAKES, 0) + 0.15 * torch.randn(SPEAKERS * TAKES, FEATS, generator=g)
    return x, (lean > 0).float().repeat_interleave(TAKES), torch.arange(SPEAKERS).repeat_interleave(TAKES)


def share_out(units):
    order = torch.randperm(units, generator=torch.Generator().manual_seed(51))
    return order.tensor_split([int(0.6 * units), int(0.8 * units)])


def by_take(who):
    return share_out(len(who))


def by_person(who):
    return [torch.isin(who, people).nonzero().squeeze(1) for people in share_out(SPEAKERS)]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(50)
    x, y, who = recordings()
    parts = (by_person if fixed else by_take)(who)
    model = nn.Sequential(nn.Linear(FEATS, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1), nn.Flatten(0))
    g = torch.Generator().manual_seed(50)
    train, val, test = (
        DataLoader(TensorDataset(x[p], y[p]), 32, shuffle=i == 0, generator=g) for i, p in enumerate(parts)
    )
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 5 if fixed else 40,
        "task": "binary",
    }
