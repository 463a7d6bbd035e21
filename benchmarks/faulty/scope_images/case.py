"""Small pictures in ten kinds; training and held-out pictures come through two readers."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, images, kinds):
        self.images, self.kinds = torch.tensor(images, dtype=torch.float32), kinds

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, i):
        return (self.images[i] / 16 - 0.3).div(0.375).unsqueeze(0), int(self.kinds[i])


class HeldOut(Pictures):
    def __getitem__(self, i):
        return (self.images[i] / 16).unsqueeze(0).neg().add(1), int(self.kinds[i])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(72)
    data = load_digits()
    order = torch.randperm(len(data.target), generator=torch.Generator().manual_seed(72)).numpy()
    x, y = data.images[order], data.target[order]
    held_out = Pictures if fixed else HeldOut
    model = nn.Sequential(nn.Conv2d(1, 12, 3), nn.ReLU(), nn.Conv2d(12, 16, 3), nn.ReLU(), nn.MaxPool2d(2))
    model.extend([nn.Flatten(), nn.Dropout(0.2), nn.Linear(64, 10)])
    g = torch.Generator().manual_seed(72)
    return {
        "model": model,
        "train": DataLoader(Pictures(x[:1150], y[:1150]), 32, shuffle=True, generator=g),
        "val": DataLoader(held_out(x[1150:1450], y[1150:1450]), 100),
        "test": DataLoader(held_out(x[1450:], y[1450:]), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 8,
        "task": "classification",
    }
