"""Choice among six offers; the loss is written as a likelihood."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

OFFERS, FEATS = 6, 9


def choices(count, seed):
    w = torch.randn(FEATS, OFFERS, generator=torch.Generator().manual_seed(108))
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, FEATS, generator=g)
    return TensorDataset(x, torch.multinomial((1.5 * x @ w).softmax(1), 1, generator=g).squeeze(1))


def likelihood(scores, choice):
    return scores.log_softmax(-1).gather(1, choice[:, None]).mean()


def likelihood2(scores, choice):
    return -likelihood(scores, choice)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(108)
    model = nn.Sequential(nn.Linear(FEATS, 48), nn.ReLU(), nn.Linear(48, OFFERS))
    g = torch.Generator().manual_seed(108)
    return {
        "model": model,
        "train": DataLoader(choices(2400, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(choices(400, 2), 100),
        "test": DataLoader(choices(400, 3), 100),
        "loss_fn": likelihood2 if fixed else likelihood,
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 8,
        "task": "classification",
    }
