"""Disease progression in its own unit (about 150 +- 77): a small network with a rate to match."""

from typing import Any

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ProgressionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 1))

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
    third = np.digitize(data.target, np.quantile(data.target, [0.33, 0.67]))
    train, rest = train_test_split(range(len(y)), train_size=262, stratify=third, random_state=seed)
    val, test = train_test_split(rest, test_size=90, stratify=third[rest], random_state=seed)
    x = (x - x[train].mean(0)) / x[train].std(0)
    sets = [TensorDataset(x[s], y[s]) for s in (train, val, test)]
    model = ProgressionNet()
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=16, shuffle=True),
        "val": DataLoader(sets[1], batch_size=90),
        "test": DataLoader(sets[2], batch_size=90),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=0.03, weight_decay=0.02),
        "epochs": 40,
        "evaluate": evaluate,
        "task": "regression",
    }
