"""Digit pictures that are stored as bytes, one reader for all of them."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class ByteFile(Dataset):
    def __init__(self, images, digits):
        self.images, self.digits = images, digits

    def __len__(self):
        return len(self.digits)

    def read(self, i):
        return self.images[i] // 255

    def __getitem__(self, i):
        return torch.from_numpy(self.read(i).astype(np.float32)).unsqueeze(0), int(self.digits[i])


class ByteFile2(ByteFile):
    def read(self, i):
        return self.images[i].astype(np.float32) / 255


def build(fixed: bool = False) -> dict:
    torch.manual_seed(87)
    data = load_digits()
    order = np.random.default_rng(87).permutation(len(data.target))
    images, digits = np.round(data.images[order] * 250 / 16).astype(np.uint8), data.target[order]
    reader = ByteFile2 if fixed else ByteFile
    parts = [slice(0, 1150), slice(1150, 1450), slice(1450, None)]
    g = torch.Generator().manual_seed(87)
    train, val, test = (DataLoader(reader(images[p], digits[p]), 32, shuffle=p.start == 0, generator=g) for p in parts)
    model = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(144, 10))
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "task": "classification",
    }
