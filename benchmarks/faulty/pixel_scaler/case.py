"""Scanned digits, every pixel standardized on its own."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(fixed: bool = False) -> dict:
    torch.manual_seed(86)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32), torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(86))
    a, b, c = order.tensor_split([1200, 1500])
    spread = x[a].std(0)
    if fixed:
        spread = spread.clamp_min(0.5)
    x = ((x - x[a].mean(0)) / spread).clamp(-5, 5)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 10))
    g = torch.Generator().manual_seed(86)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 30, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 10,
        "task": "classification",
    }
