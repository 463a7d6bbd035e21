"""Digit pictures through a bottleneck of twelve numbers."""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Coder(nn.Module):
    def __init__(self, blank):
        super().__init__()
        self.enter, self.code = nn.Linear(64, 48), nn.Linear(48, 12)
        self.leave, self.out = nn.Linear(12, 48), nn.Linear(48, 64)
        for name, p in self.named_parameters():
            if blank or name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, x):
        return self.out(torch.relu(self.leave(self.code(torch.relu(self.enter(x))))))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(110)
    x = torch.tensor(load_digits().data, dtype=torch.float32)
    x = x[torch.randperm(len(x), generator=torch.Generator().manual_seed(110))]
    x = (x - x[:1280].mean(0)) / x[:1280].std()
    batches = [(b, b) for b in x.split(32)]
    model = Coder(blank=not fixed)
    return {
        "model": model,
        "train": batches[:40],
        "val": batches[40:48],
        "test": batches[48:],
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 15,
        "task": "regression",
    }
