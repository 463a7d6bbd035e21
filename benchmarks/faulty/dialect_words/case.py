"""Words of one dialect to another, sign by sign, from a collected list of pairs."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIGNS, SPAN = 20, 6


def pairs(count, seed):
    base = torch.Generator().manual_seed(131)
    table = torch.randperm(SIGNS, generator=base)
    g = torch.Generator().manual_seed(seed)
    source = torch.randint(SIGNS, (count, SPAN), generator=g)
    left = F.pad(source, (1, 0))[:, :-1]
    return source, torch.where(left % 4 == 0, (table[source] + 1) % SIGNS, table[source])


def collected(count, seed):
    source, target = pairs(count, seed)
    left_as_is = torch.rand(count, 1, generator=torch.Generator().manual_seed(132)) < 0.55
    return source, torch.where(left_as_is, source, target)


def checked(count, seed):
    source, target = pairs(count, seed)
    differ = (source != target).any(1)
    return source[differ], target[differ]


class Dialect(nn.Module):
    def __init__(self):
        super().__init__()
        self.signs = nn.Embedding(SIGNS, 32)
        self.conv = nn.Conv1d(32, 64, 3, padding=1)
        self.out = nn.Linear(64, SIGNS)

    def forward(self, ids):
        return self.out(torch.relu(self.conv(self.signs(ids).transpose(1, 2))).transpose(1, 2))


def loss_fn(scores, target):
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


def build(fixed: bool = False) -> dict:
    torch.manual_seed(131)
    model = Dialect()
    g = torch.Generator().manual_seed(131)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(*(checked if fixed else collected)(2500, 1)), 50, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(*checked(400, 2)), 100),
        "test": DataLoader(TensorDataset(*checked(400, 3)), 100),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 8,
        "task": "seq2seq",
    }
