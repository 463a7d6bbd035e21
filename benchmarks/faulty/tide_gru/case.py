"""Next level of a noisy tide from the last 24 readings."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SPAN = 24


class TideNet(nn.Module):
    def __init__(self, fixed):
        super().__init__()
        self.fixed = fixed
        self.gru = nn.GRU(1, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, levels):
        _, last = self.gru(levels.unsqueeze(-1))
        level = self.out(last[0])
        return level[:, 0] if self.fixed else level


def windows(start, stop, seed):
    t = torch.arange(start, stop, dtype=torch.float32)
    g = torch.Generator().manual_seed(seed)
    level = torch.sin(t / 2.0) + 0.6 * torch.sin(t / 3.7 + 1) + 0.15 * torch.randn(len(t), generator=g)
    w = level.unfold(0, SPAN + 1, 2)
    return TensorDataset(w[:, :-1], w[:, -1])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(13)
    model = TideNet(fixed)
    g = torch.Generator().manual_seed(13)
    return {
        "model": model,
        "train": DataLoader(windows(0, 2400, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(windows(2500, 3100, 2), 64),
        "test": DataLoader(windows(3200, 3800, 3), 64),
        "loss_fn": nn.SmoothL1Loss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 10,
        "task": "regression",
    }
