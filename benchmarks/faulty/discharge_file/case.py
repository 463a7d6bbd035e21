"""Will a patient return within a month? A discharge file with a column per entry."""

import torch
from torch import nn


def discharges(count, seed):
    w = torch.randn(14, generator=torch.Generator().manual_seed(56))
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 14, generator=g)
    back = (x @ w * 0.6 + x[:, 0] * x[:, 1] + 1.2 * torch.randn(count, generator=g) > 0).float()
    follow_up = torch.where(back > 0, 3.0, 0.5) + 0.4 * torch.randn(count, generator=g)
    return torch.cat([x[:, :6], follow_up[:, None], x[:, 6:]], 1), back


def batches(count, seed, size, columns):
    x, y = discharges(count, seed)
    return [{"input": a, "target": b} for a, b in zip(x[:, columns].split(size), y.split(size), strict=True)]


class Return(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(56)
    columns = [c for c in range(15) if c != 6 or not fixed]
    model = Return(len(columns))
    return {
        "model": model,
        "train": batches(2400, 1, 40, columns),
        "val": batches(500, 2, 100, columns),
        "test": batches(500, 3, 100, columns),
        "loss_fn": nn.functional.binary_cross_entropy_with_logits,
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 8,
        "task": "binary",
    }
