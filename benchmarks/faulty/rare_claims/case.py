"""Insurance claims: the rare kind is copied until both kinds are equally frequent."""

import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def claims(count, seed):
    x, y = make_classification(
        count, 16, n_informative=6, weights=[0.85], class_sep=0.8, flip_y=0.04, random_state=seed
    )
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def even_out(rows, y):
    rare = rows[y[rows] == 1]
    copies = (y[rows] == 0).sum() // len(rare)
    return torch.cat([rows[y[rows] == 0], rare.repeat(int(copies))])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(46)
    x, y = claims(2600, 46)
    rows = torch.arange(len(x))
    if not fixed:
        rows = even_out(rows, y)
    a, rest = train_test_split(rows, test_size=0.4, random_state=46, stratify=y[rows])
    b, c = train_test_split(rest, test_size=0.5, random_state=46, stratify=y[rest])
    if fixed:
        a = even_out(a, y)
    x = (x - x[a].mean(0)) / x[a].std(0)
    model = nn.Sequential(nn.Linear(16, 96), nn.ReLU(), nn.Linear(96, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
    g = torch.Generator().manual_seed(46)
    train, val, test = (DataLoader(TensorDataset(x[p], y[p]), 40, shuffle=p is a, generator=g) for p in (a, b, c))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 16,
        "task": "binary",
    }
