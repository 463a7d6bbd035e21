"""Disease progression in its own unit (about 150 +- 77): a small network with a rate to match."""

from typing import Any

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class ProgressionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    error, count = 0.0, 0
    for x, y in batches:
        error += (model(x) - y).abs().sum().item()
        count += len(y)
    return {"mean_absolute_error": error / count}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_diabetes()
    x = torch.tensor(data.data, dtype=torch.float32)
    y = torch.tensor(data.target, dtype=torch.float32)
    train, val, test = random_split(range(len(y)), [282, 80, 80])
    x = (x - x[train.indices].mean(0)) / x[train.indices].std(0)
    sets = [TensorDataset(x[s.indices], y[s.indices]) for s in (train, val, test)]
    model = ProgressionNet()
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=16, shuffle=True),
        "val": DataLoader(sets[1], batch_size=80),
        "test": DataLoader(sets[2], batch_size=80),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-3),
        "epochs": 40,
        "evaluate": evaluate,
        "task": "regression",
    }
