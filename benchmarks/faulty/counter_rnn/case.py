"""Weighted sum of a long series: a plain recurrent layer with ReLU."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STEPS, WIDTH = 30, 32


def series(count, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(count, STEPS, 1, generator=g)
    y = (x[..., 0].sum(1) - STEPS / 2) / (STEPS / 12) ** 0.5
    return TensorDataset(x - 0.5, y + 0.1 * torch.randn(count, generator=g))


class Adder(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.rnn = nn.RNN(1, WIDTH, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(WIDTH, 1)
        with torch.no_grad():
            nn.init.orthogonal_(self.rnn.weight_hh_l0, gain)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1]).squeeze(1)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(113)
    model = Adder(1.0 if fixed else 2.2)
    g = torch.Generator().manual_seed(113)
    return {
        "model": model,
        "train": DataLoader(series(1600, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(series(400, 2), 100),
        "test": DataLoader(series(400, 3), 100),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 10,
        "task": "regression",
    }
