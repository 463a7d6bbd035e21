"""Next stall on a market walk: language model with a GRU."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STALLS, LENGTH = 18, 16


def walks(count, seed):
    base = torch.Generator().manual_seed(47)
    follow = torch.stack([torch.randperm(STALLS, generator=base)[:3] for _ in range(STALLS)])
    g = torch.Generator().manual_seed(seed)
    ids = [torch.randint(STALLS, (count,), generator=g)]
    for _ in range(LENGTH):
        pick = torch.multinomial(torch.tensor([0.75, 0.15, 0.1]), count, replacement=True, generator=g)
        ids.append(follow[ids[-1], pick])
    ids = torch.stack(ids, 1)
    return TensorDataset(ids[:, :-1], ids[:, 1:])


class WalkModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.stalls = nn.Embedding(STALLS, 24)
        self.gru = nn.GRU(24, 32, batch_first=True)
        self.out = nn.Linear(32, STALLS)

    def forward(self, ids):
        return self.out(self.gru(self.stalls(ids))[0])


def next_loss(scores, target):
    return F.cross_entropy(scores[:, :-1].flatten(0, 1), target[:, 1:].flatten())


def next_loss2(scores, target):
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


def build(fixed: bool = False) -> dict:
    torch.manual_seed(34)
    model = WalkModel()
    g = torch.Generator().manual_seed(34)
    return {
        "model": model,
        "train": DataLoader(walks(1500, 1), 30, shuffle=True, generator=g),
        "val": DataLoader(walks(300, 2), 50),
        "test": DataLoader(walks(300, 3), 50),
        "loss_fn": next_loss2 if fixed else next_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 6,
        "task": "language_model",
    }
