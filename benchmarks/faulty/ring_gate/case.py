"""Two noisy rings of points: inner or outer?"""

import torch
from sklearn.datasets import make_circles
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(2, 32), nn.Linear(32, 32), nn.Linear(32, 1)

    def forward(self, x):
        return self.c(torch.relu(self.b(torch.relu(self.a(x))))).flatten()


def rings(count, seed):
    x, y = make_circles(count, noise=0.12, factor=0.55, random_state=seed)
    return TensorDataset(torch.tensor(x * 1.6, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(2)
    model = Gate()
    g = torch.Generator().manual_seed(2)
    return {
        "model": model,
        "train": DataLoader(rings(1600, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(rings(400, 2), 100),
        "test": DataLoader(rings(400, 3), 100),
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=0.005 if fixed else 0.8),
        "epochs": 12,
        "task": "binary",
    }
