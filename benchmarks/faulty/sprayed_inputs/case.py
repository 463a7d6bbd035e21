"""Kind of grain from nine figures; inputs are perturbed a little while training."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = 4


def grains(count, seed):
    centre = 1.1 * torch.randn(KINDS, 9, generator=torch.Generator().manual_seed(136))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(centre[kind] + 0.9 * torch.randn(count, 9, generator=g), kind)


class Spray(nn.Module):
    def draw(self, x):
        return torch.from_numpy(np.random.default_rng().standard_normal(x.shape, dtype=np.float32))

    def forward(self, x):
        return x + 0.3 * self.draw(x) if self.training else x


class Spray2(Spray):
    def draw(self, x):
        return torch.randn_like(x)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(136)
    model = nn.Sequential(Spray2() if fixed else Spray(), nn.Linear(9, 48), nn.ReLU(), nn.Linear(48, KINDS))
    g = torch.Generator().manual_seed(136)
    return {
        "model": model,
        "train": DataLoader(grains(1600, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(grains(400, 2), 100),
        "test": DataLoader(grains(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 10,
        "task": "classification",
    }
