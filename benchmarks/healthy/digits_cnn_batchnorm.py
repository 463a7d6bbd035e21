"""Convolutional network with batch norm on digits, Nesterov SGD under a one-cycle rate."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset


def conv_block(inp, out):
    return nn.Sequential(nn.Conv2d(inp, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(data.target)
    train, rest = train_test_split(range(len(labels)), test_size=0.3, random_state=seed)
    val, test = train_test_split(rest, test_size=0.5, random_state=seed)
    images = (images - images[train].mean()) / images[train].std()
    model = nn.Sequential(
        conv_block(1, 8),
        conv_block(8, 16),
        nn.MaxPool2d(2),
        conv_block(16, 16),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 10),
    )
    loaders = {
        name: DataLoader(TensorDataset(images[ids], labels[ids]), 64, shuffle=name == "train")
        for name, ids in {"train": train, "val": val, "test": test}.items()
    }
    epochs = 8
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=5e-4)
    steps = epochs * len(loaders["train"])
    return {
        "model": model,
        **loaders,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": OneCycleLR(optimizer, max_lr=0.1, total_steps=steps),
        "scheduler_interval": "step",
        "epochs": epochs,
        "task": "classification",
    }
