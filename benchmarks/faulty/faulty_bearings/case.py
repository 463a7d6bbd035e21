"""Bearings from vibration figures: sound or faulty."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def bearings(count, seed, share):
    w = torch.randn(8, generator=torch.Generator().manual_seed(83))
    g = torch.Generator().manual_seed(seed)
    faulty = (torch.rand(count, generator=g) < share).long()
    x = torch.randn(count, 8, generator=g) + 0.8 * faulty[:, None] * w
    return TensorDataset(x, faulty)


def loader(data, fixed):
    g = torch.Generator().manual_seed(83)
    if not fixed:
        return DataLoader(data, 50, shuffle=True, generator=g)
    faulty = data.tensors[1]
    weight = torch.where(faulty == 1, 1 / faulty.sum(), 1 / (1 - faulty).sum())
    return DataLoader(data, 50, sampler=WeightedRandomSampler(weight, len(data), generator=g))


@torch.no_grad()
def recall(model, batches):
    model.eval()
    found = [(model(x).argmax(1), y) for x, y in batches]
    guess, kind = (torch.cat(c) for c in zip(*found, strict=True))
    return {f"recall_{k}": (guess[kind == k] == k).float().mean().item() for k in range(2)}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(83)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    return {
        "model": model,
        "train": loader(bearings(3000, 1, 0.02), fixed),
        "val": DataLoader(bearings(1000, 2, 0.02), 100),
        "test": DataLoader(bearings(1000, 3, 0.02), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.01),
        "epochs": 8,
        "evaluate": recall,
        "task": "classification",
    }
