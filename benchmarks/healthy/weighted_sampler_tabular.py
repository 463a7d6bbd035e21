"""Three unequally common classes drawn equally often by a WeightedRandomSampler; val stays as it is."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class Classifier(nn.Module):
    def __init__(self, inputs, classes, hidden=24):
        super().__init__()
        self.inp = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.out(F.relu(self.norm(self.inp(x))))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_classification(
        4000,
        10,
        n_informative=5,
        n_redundant=2,
        n_classes=3,
        n_clusters_per_class=1,
        class_sep=1.6,
        weights=[0.55, 0.3, 0.15],
        flip_y=0.0,
        random_state=seed,
    )
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    x = (x - x[:3000].mean(0)) / x[:3000].std(0)
    weights = 1.0 / torch.bincount(y[:3000]).double()
    sampler = WeightedRandomSampler(weights[y[:3000]], num_samples=3000, replacement=True)
    model = Classifier(10, 3)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:3000], y[:3000]), batch_size=100, sampler=sampler),
        "val": DataLoader(TensorDataset(x[3000:3500], y[3000:3500]), batch_size=100),
        "test": DataLoader(TensorDataset(x[3500:], y[3500:]), batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 12,
        "task": "classification",
    }
