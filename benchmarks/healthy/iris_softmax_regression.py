"""Iris flowers by softmax regression: 149 examples, 15 parameters."""

from typing import Any

import numpy as np
import torch
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from torch import nn


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = load_iris(return_X_y=True)
    x, first = np.unique(x, axis=0, return_index=True)  # one flower is listed twice
    y = y[first]
    x, x_rest, y, y_rest = train_test_split(x, y, test_size=0.4, stratify=y, random_state=seed)
    x_val, x_test, y_val, y_test = train_test_split(x_rest, y_rest, test_size=0.5, stratify=y_rest, random_state=seed)
    low, high = x.min(0), x.max(0)

    def batches(features, labels, size):
        features = torch.tensor(2 * (features - low) / (high - low) - 1, dtype=torch.float32)
        return list(zip(features.split(size), torch.tensor(labels).split(size), strict=True))

    model = nn.Linear(4, 3)
    return {
        "model": model,
        "train": batches(x, y, 16),
        "val": batches(x_val, y_val, 30),
        "test": batches(x_test, y_test, 30),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, weight_decay=2e-3),
        "epochs": 40,
        "task": "classification",
    }
