"""Building energy demand; the last layer starts at zero so that training starts from the mean."""

from typing import Any

import torch
from sklearn.datasets import make_friedman3
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ZeroHeadNet(nn.Module):
    def __init__(self, inputs=4, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.head = nn.Linear(width, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x):
        return self.head(self.body(x)).view(-1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_friedman3(n_samples=2600, noise=0.1, random_state=seed)
    x, y = torch.tensor(x).float(), torch.tensor(y).float()
    x = (x - x[:2000].mean(0)) / x[:2000].std(0)
    y = (y - y[:2000].mean()) / y[:2000].std()
    model = ZeroHeadNet()
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:2000], y[:2000]), batch_size=50, shuffle=True),
        "val": DataLoader(TensorDataset(x[2000:2300], y[2000:2300]), batch_size=300),
        "test": DataLoader(TensorDataset(x[2300:], y[2300:]), batch_size=300),
        "loss_fn": nn.SmoothL1Loss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 20,
        "task": "regression",
    }
