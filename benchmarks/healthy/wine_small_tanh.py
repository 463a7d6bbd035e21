"""Three kinds of wine from 13 measurements: a very small data set, a very small tanh network."""

from typing import Any

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class WineNet(nn.Module):
    def __init__(self, hidden: int = 8):
        super().__init__()
        self.fc1 = nn.Linear(13, hidden)
        self.fc2 = nn.Linear(hidden, 3)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_wine()
    x, x_test, y, y_test = train_test_split(
        data.data, data.target, test_size=0.2, stratify=data.target, random_state=seed
    )
    x, x_val, y, y_val = train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    scaler = StandardScaler().fit(x)

    def loader(features, labels, **kwargs):
        features = torch.from_numpy(scaler.transform(features)).float()
        return DataLoader(TensorDataset(features, torch.from_numpy(labels).long()), **kwargs)

    net = WineNet()
    return {
        "model": net,
        "train": loader(x, y, batch_size=16, shuffle=True),
        "val": loader(x_val, y_val, batch_size=64),
        "test": loader(x_test, y_test, batch_size=64),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=0.01),
        "epochs": 25,
        "task": "classification",
    }
