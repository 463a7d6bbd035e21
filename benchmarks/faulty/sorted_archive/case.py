"""Ten kinds of glyphs; the archive that is scored is stored kind by kind."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def score(model, batches):
    right, total = 0, 0
    with torch.no_grad():
        for x, y in batches:
            right += int((model(x).argmax(1) == y).sum())
            total += len(y)
    return {"accuracy": right / total}


def fresh_score(model, batches):
    model.train()
    return score(model, batches)


def rest_score(model, batches):
    was = model.training
    model.eval()
    found = score(model, batches)
    model.train(was)
    return found


def build(fixed: bool = False) -> dict:
    torch.manual_seed(39)
    data = load_digits()
    x, y = torch.tensor(data.data, dtype=torch.float32) / 16, torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(39))
    parts = [order[:1200], order[1200:1500], order[1500:]]
    parts[1:] = [p[y[p].argsort(stable=True)] for p in parts[1:]]
    model = nn.Sequential(
        nn.Linear(64, 48),
        nn.BatchNorm1d(48),
        nn.ReLU(),
        nn.Linear(48, 32),
        nn.BatchNorm1d(32),
        nn.ReLU(),
        nn.Linear(32, 10),
    )
    g = torch.Generator().manual_seed(39)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 40, shuffle=p is parts[0], generator=g) for p in parts)
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.functional.cross_entropy,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
        "epochs": 8,
        "evaluate": rest_score if fixed else fresh_score,
        "task": "classification",
    }
