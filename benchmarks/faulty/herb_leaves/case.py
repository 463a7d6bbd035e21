"""Five herbs by twenty leaf figures."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERBS = 5


def leaves(count, seed):
    centre = 0.65 * torch.randn(HERBS, 20, generator=torch.Generator().manual_seed(122))
    g = torch.Generator().manual_seed(seed)
    herb = torch.randint(HERBS, (count,), generator=g)
    return TensorDataset(centre[herb] + torch.randn(count, 20, generator=g), herb)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(122)
    train = leaves(1500 if fixed else 40, 1)
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, HERBS))
    g = torch.Generator().manual_seed(122)
    return {
        "model": model,
        "train": DataLoader(train, 20, shuffle=True, generator=g),
        "val": DataLoader(leaves(400, 2), 100),
        "test": DataLoader(leaves(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 6 if fixed else 200,
        "task": "classification",
    }
