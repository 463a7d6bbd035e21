"""Small convolutional reader for scanned digits."""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loaders(seed):
    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(data.target)
    a, rest = train_test_split(torch.arange(len(x)), test_size=0.35, stratify=y, random_state=seed)
    b, c = train_test_split(rest, test_size=0.5, stratify=y[rest], random_state=seed)
    g = torch.Generator().manual_seed(seed)
    return [DataLoader(TensorDataset(x[i], y[i]), 32, shuffle=i is a, generator=g) for i in (a, b, c)]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(21)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(256, 10),
    )
    train, val, test = loaders(21)
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.02 if fixed else 1e-5, momentum=0.9),
        "epochs": 8,
        "task": "classification",
    }
