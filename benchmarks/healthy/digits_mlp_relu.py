"""Handwritten digits with a plain ReLU network and Adam."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = load_digits(return_X_y=True)
    x_train, x_rest, y_train, y_rest = train_test_split(x, y, test_size=0.3, stratify=y, random_state=seed)
    x_val, x_test, y_val, y_test = train_test_split(x_rest, y_rest, test_size=0.5, random_state=seed)

    def dataset(a, b):
        return TensorDataset(torch.tensor(a / 16.0, dtype=torch.float32), torch.tensor(b))

    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    return {
        "model": model,
        "train": DataLoader(dataset(x_train, y_train), batch_size=32, shuffle=True),
        "val": DataLoader(dataset(x_val, y_val), batch_size=256),
        "test": DataLoader(dataset(x_test, y_test), batch_size=256),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 20,
        "task": "classification",
    }
