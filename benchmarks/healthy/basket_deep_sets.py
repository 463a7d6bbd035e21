"""Value of a shopping basket of varying size: items are embedded, masked and summed (deep sets)."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def baskets(count, gen):
    items = torch.rand(count, 10, 3, generator=gen) * 2 - 1
    size = torch.randint(2, 11, (count, 1), generator=gen)
    mask = (torch.arange(10) < size).float()
    worth = torch.relu(items[..., 0] + items[..., 1]) + 0.5 * items[..., 2] ** 2
    value = (worth * mask).sum(1) + 0.1 * torch.randn(count, generator=gen)
    return items * mask[..., None], mask, value


def collate(rows):
    items, mask, value = (torch.stack(c) for c in zip(*rows, strict=True))
    return {"input": (items, mask), "target": value}


class DeepSet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.item = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.total = nn.Linear(width, 1)

    def forward(self, items, mask):
        return self.total((self.item(items) * mask.unsqueeze(-1)).sum(1) / 5).squeeze(-1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    raw = [baskets(n, gen) for n in (1500, 300, 300)]
    mean, std = raw[0][2].mean(), raw[0][2].std()
    train, val, test = (
        DataLoader(TensorDataset(a, m, (v - mean) / std), batch_size=50, shuffle=k == 0, collate_fn=collate)
        for k, (a, m, v) in enumerate(raw)
    )
    model = DeepSet()
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.RMSprop(model.parameters(), lr=4e-3),
        "epochs": 15,
        "predict": lambda m, basket: m(*basket),
        "task": "regression",
    }
