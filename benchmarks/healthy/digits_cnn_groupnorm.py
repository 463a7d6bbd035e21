"""Convolutional network with group norm and SiLU, AdamW with a cosine rate per step."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, Subset, TensorDataset


class GroupNormNet(nn.Module):
    def __init__(self, width: int = 16, classes: int = 10):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.norm1 = nn.GroupNorm(4, width)
        self.down = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.norm2 = nn.GroupNorm(4, 2 * width)
        self.fc = nn.Linear(2 * width, classes)

    def forward(self, x):
        x = F.silu(self.norm1(self.stem(x)))
        x = F.silu(self.norm2(self.down(x)))
        return self.fc(x.mean(dim=(2, 3)))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    images, labels = load_digits(return_X_y=True)
    x = torch.from_numpy(images).float().view(-1, 1, 8, 8) / 8.0 - 1.0
    dataset = TensorDataset(x, torch.from_numpy(labels).long())
    order = torch.randperm(len(dataset)).tolist()
    train = DataLoader(Subset(dataset, order[:1200]), batch_size=32, shuffle=True, drop_last=True)
    val = DataLoader(Subset(dataset, order[1200:1500]), batch_size=100)
    test = DataLoader(Subset(dataset, order[1500:]), batch_size=100)
    model = GroupNormNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=1e-2)
    epochs = 12
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": F.cross_entropy,
        "optimizer": optimizer,
        "scheduler": CosineAnnealingLR(optimizer, T_max=epochs * len(train)),
        "scheduler_interval": "step",
        "epochs": epochs,
        "task": "classification",
    }
