"""Disease progression by linear regression with plain SGD; targets are standardized."""

from typing import Any

import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = load_diabetes(return_X_y=True, scaled=False)
    y = y.reshape(-1, 1)
    x_train, x_rest, y_train, y_rest = train_test_split(x, y, test_size=0.4, random_state=seed)
    x_val, x_test, y_val, y_test = train_test_split(x_rest, y_rest, test_size=0.5, random_state=seed)
    x_scale, y_scale = StandardScaler().fit(x_train), StandardScaler().fit(y_train)

    def loader(a, b, shuffle=False):
        pair = x_scale.transform(a), y_scale.transform(b)
        dataset = TensorDataset(*(torch.tensor(v, dtype=torch.float32) for v in pair))
        return DataLoader(dataset, batch_size=20, shuffle=shuffle)

    model = nn.Linear(10, 1)
    return {
        "model": model,
        "train": loader(x_train, y_train, shuffle=True),
        "val": loader(x_val, y_val),
        "test": loader(x_test, y_test),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.01),
        "epochs": 15,
        "task": "regression",
    }
