"""Gait of a walker from a short three-axis recording."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GAITS, SPAN, AXES, WIDTH = 6, 12, 3, 24


def walks(count, seed):
    base = torch.Generator().manual_seed(81)
    speed, lag = 0.4 + 1.4 * torch.rand(GAITS, 1, AXES, generator=base), 6 * torch.rand(GAITS, 1, AXES, generator=base)
    g = torch.Generator().manual_seed(seed)
    gait = torch.randint(GAITS, (count,), generator=g)
    t = torch.arange(SPAN)[None, :, None] + torch.rand(count, 1, 1, generator=g)
    x = torch.sin(speed[gait] * t + lag[gait]) + 0.6 * torch.randn(count, SPAN, AXES, generator=g)
    return TensorDataset(x, gait)


class GaitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(AXES, WIDTH, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * WIDTH, GAITS)

    def both(self, last):
        return last.view(-1, 2 * WIDTH)

    def forward(self, x):
        _, (last, _) = self.lstm(x)
        return self.out(self.both(last))


class GaitNet2(GaitNet):
    def both(self, last):
        return last.transpose(0, 1).reshape(-1, 2 * WIDTH)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(26)
    model = GaitNet2() if fixed else GaitNet()
    g = torch.Generator().manual_seed(26)
    return {
        "model": model,
        "train": DataLoader(walks(1600, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(walks(400, 2), 40),
        "test": DataLoader(walks(400, 3), 40),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 8,
        "task": "classification",
    }
