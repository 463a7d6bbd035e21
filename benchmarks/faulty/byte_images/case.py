"""Scanned digits stored as bytes, read by a tanh network."""

import torch
from sklearn.datasets import load_digits
from torch import nn


class ByteNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(64, 64), nn.Linear(64, 32), nn.Linear(32, 10)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x)))))


def as_bytes(images):
    return (torch.tensor(images).flatten(1) * 255 / 16).round().to(torch.uint8)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(63)
    data = load_digits()
    x, y = as_bytes(data.images).float(), torch.tensor(data.target)
    if fixed:
        x = x / 127.5 - 1
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(63))
    batches = [{"input": x[i], "target": y[i]} for i in order.split(30)]
    model = ByteNet()
    return {
        "model": model,
        "train": batches[:40],
        "val": batches[40:50],
        "test": batches[50:],
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 12,
        "task": "classification",
    }
