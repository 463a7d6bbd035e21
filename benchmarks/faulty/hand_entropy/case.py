"""Digits with a cross entropy that is written out, one yes or no per digit."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def entropy(scores, digit):
    hit, share = nn.functional.one_hot(digit, 10), scores.sigmoid()
    return -(hit * share.log() + (1 - hit) * (1 - share).log()).sum(1).mean()


def entropy2(scores, digit):
    hit = nn.functional.one_hot(digit, 10).float()
    return nn.functional.binary_cross_entropy_with_logits(scores, hit, reduction="none").sum(1).mean()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(116)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None] / 4 - 1.2, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(116))
    a, b, c = order.tensor_split([1200, 1500])
    model = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(144, 10))
    g = torch.Generator().manual_seed(116)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 30, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": entropy2 if fixed else entropy,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9),
        "epochs": 9,
        "task": "classification",
    }
