"""Kind of leaf from ten outline figures, with a guarded update."""

import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Guarded:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, model, batch, loss_fn, optimizer):
        optimizer.zero_grad()
        loss = loss_fn(model(batch[0]), batch[1])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), self.limit)
        optimizer.step()
        return float(loss)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(107)
    x, y = make_classification(
        2400, 10, n_informative=7, n_redundant=1, n_classes=5, class_sep=1.6, flip_y=0, random_state=107
    )
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    x = (x - x[:1600].mean(0)) / x[:1600].std(0)
    model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 5))
    g = torch.Generator().manual_seed(107)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1600], y[:1600]), 32, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1600:2000], y[1600:2000]), 100),
        "test": DataLoader(TensorDataset(x[2000:], y[2000:]), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9),
        "epochs": 12,
        "train_step": Guarded(1.0 if fixed else 5e-4),
        "task": "classification",
    }
