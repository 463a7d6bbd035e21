"""Deep supervision: in training a second head on the middle features adds 0.3 of its loss."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.low = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2))
        self.high = nn.Sequential(nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU())
        self.aux = nn.Linear(12 * 16, 10)
        self.main = nn.Linear(24 * 16, 10)

    def forward(self, x):
        middle = self.low(x)
        logits = self.main(self.high(middle).flatten(1))
        return (logits, self.aux(middle.flatten(1))) if self.training else logits


def loss_fn(outputs, labels):
    if isinstance(outputs, tuple):
        main, aux = outputs
        return F.cross_entropy(main, labels) + 0.3 * F.cross_entropy(aux, labels)
    return F.cross_entropy(outputs, labels)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    x_train, x_rest, y_train, y_rest = train_test_split(
        data.images[:, None], data.target, test_size=500, stratify=data.target, random_state=seed
    )

    def pack(x, y):
        return TensorDataset(torch.as_tensor(x / 16 - 0.3, dtype=torch.float32), torch.as_tensor(y))

    model = TwoHeads()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-3)
    return {
        "model": model,
        "train": DataLoader(pack(x_train, y_train), batch_size=48, shuffle=True),
        "val": DataLoader(pack(x_rest[:250], y_rest[:250]), batch_size=125),
        "test": DataLoader(pack(x_rest[250:], y_rest[250:]), batch_size=125),
        "loss_fn": loss_fn,
        "optimizer": optimizer,
        "epochs": 8,
        "task": "classification",
    }
