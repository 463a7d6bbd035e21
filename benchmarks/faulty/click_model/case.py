"""Click or no click from user and item numbers; the loss is written out."""

import torch
import torch.nn.functional as F
from torch import nn

USERS, ITEMS = 60, 80


def visits(count, seed):
    base = torch.Generator().manual_seed(55)
    u, v = torch.randn(USERS, 3, generator=base), torch.randn(ITEMS, 3, generator=base)
    g = torch.Generator().manual_seed(seed)
    user, item = torch.randint(USERS, (count,), generator=g), torch.randint(ITEMS, (count,), generator=g)
    chance = torch.sigmoid(3.0 * (u[user] * v[item]).sum(1))
    return user, item, torch.bernoulli(chance, generator=g)


class Clicks(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.user, self.item = nn.Embedding(USERS, width), nn.Embedding(ITEMS, width)
        self.mix = nn.Sequential(nn.Linear(3 * width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, user, item):
        u, v = self.user(user), self.item(item)
        return self.mix(torch.cat([u, v, u * v], 1))


def log_loss(outputs, clicks):
    return -(clicks * F.logsigmoid(outputs) + (1 - clicks) * F.logsigmoid(-outputs)).mean()


def batches(count, seed, size, fixed):
    user, item, click = visits(count, seed)
    click = click.unsqueeze(1) if fixed else click
    return [((user[i : i + size], item[i : i + size]), click[i : i + size]) for i in range(0, count, size)]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(15)
    model = Clicks()
    return {
        "model": model,
        "train": batches(8000, 1, 80, fixed),
        "val": batches(800, 2, 100, fixed),
        "test": batches(800, 3, 100, fixed),
        "loss_fn": log_loss,
        "optimizer": torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.05),
        "epochs": 6,
        "predict": lambda m, pair: m(*pair),
        "task": "binary",
    }
