"""Next event of a process log, from a stack of one-dimensional convolutions."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EVENTS, LENGTH, DIM = 12, 24, 32


def logs(count, seed):
    rules = torch.Generator().manual_seed(70)
    after = torch.softmax(2.5 * torch.randn(EVENTS, EVENTS, generator=rules), 1)
    g = torch.Generator().manual_seed(seed)
    ids = [torch.randint(EVENTS, (count,), generator=g)]
    for _ in range(LENGTH):
        ids.append(torch.multinomial(after[ids[-1]], 1, generator=g).squeeze(1))
    ids = torch.stack(ids, 1)
    return TensorDataset(ids[:, :-1], ids[:, 1:])


class Stream(nn.Module):
    def __init__(self, left, right):
        super().__init__()
        self.pad = (left, right)
        self.events = nn.Embedding(EVENTS, DIM)
        self.convs = nn.ModuleList([nn.Conv1d(DIM, DIM, 3) for _ in range(2)])
        self.out = nn.Linear(DIM, EVENTS)

    def forward(self, ids):
        x = self.events(ids).transpose(1, 2)
        for conv in self.convs:
            x = x + torch.relu(conv(F.pad(x, self.pad)))
        return self.out(x.transpose(1, 2))


def loss_fn(scores, target):
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


def build(fixed: bool = False) -> dict:
    torch.manual_seed(20)
    model = Stream(2, 0) if fixed else Stream(1, 1)
    g = torch.Generator().manual_seed(20)
    return {
        "model": model,
        "train": DataLoader(logs(1200, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(logs(200, 2), 50),
        "test": DataLoader(logs(200, 3), 50),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 6,
        "task": "language_model",
    }
