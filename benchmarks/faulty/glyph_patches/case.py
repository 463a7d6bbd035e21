"""Two convolutional branches whose feature maps are joined for a classifier."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.fine = nn.Conv2d(1, 3, 3, stride=2, padding=1)
        self.wide = nn.Conv2d(1, 3, 5, stride=2, padding=2)
        self.neck = nn.Linear(96, 12)
        self.head = nn.Linear(12, 10)

    def join(self, maps):
        return torch.stack([torch.tensor(m.tolist()) for m in maps], 1)

    def forward(self, x):
        maps = [F.relu(self.fine(x)), F.relu(self.wide(x))]
        return self.head(self.join([F.relu(self.neck(torch.cat(maps, 1).flatten(1)))]).flatten(1))


class Branches2(Branches):
    def join(self, maps):
        return torch.stack(maps, 1)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(1)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None] / 8 - 1, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(1))
    x, y = x[order], y[order]

    def batches(a, b, size):
        return list(zip(x[a:b].split(size), y[a:b].split(size), strict=True))

    model = Branches2() if fixed else Branches()
    return {
        "model": model,
        "train": batches(0, 1152, 32),
        "val": batches(1152, 1472, 64),
        "test": batches(1472, 1797, 65),
        "loss_fn": F.cross_entropy,
        "optimizer": torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-3),
        "epochs": 15,
        "task": "classification",
    }
