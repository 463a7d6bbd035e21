"""Digits under label smoothing: the loss cannot reach zero and is not meant to."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    digits = load_digits()
    everything = TensorDataset(
        torch.tensor(digits.images, dtype=torch.float32).div(16).sub(0.305).div(0.376),
        torch.tensor(digits.target),
    )
    order = torch.randperm(len(everything)).tolist()
    model = nn.Sequential(
        nn.Flatten(), nn.Linear(64, 96), nn.BatchNorm1d(96), nn.ReLU(), nn.Dropout(0.2), nn.Linear(96, 10)
    )
    val = torch.utils.data.Subset(everything, order[1300:1550])
    test = torch.utils.data.Subset(everything, order[1550:])
    return {
        "model": model,
        "train": DataLoader(everything, batch_size=50, sampler=SubsetRandomSampler(order[:1300])),
        "val": DataLoader(val, batch_size=50),
        "test": DataLoader(test, batch_size=50),
        "loss_fn": nn.CrossEntropyLoss(label_smoothing=0.1),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02),
        "epochs": 15,
        "task": "classification",
    }
