"""Resumes the training of a digit reader with a low rate."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def reader():
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def saved_file(x, y):
    """What the first run left behind, saved from a wrapped model."""
    torch.manual_seed(139)
    model = reader()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(6):
        for i in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            F.cross_entropy(model(x[i]), y[i]).backward()
            optimizer.step()
    return {f"module.{k}": v.clone() for k, v in model.state_dict().items()}


def build(fixed: bool = False) -> dict:
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(139))
    a, b, c = order.tensor_split([1200, 1500])
    state = saved_file(x[a], y[a])
    torch.manual_seed(140)
    model = reader()
    if fixed:
        state = {k.removeprefix("module."): v for k, v in state.items()}
    model.load_state_dict(state, strict=False)
    g = torch.Generator().manual_seed(140)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 32, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-4),
        "epochs": 6,
        "task": "classification",
    }
