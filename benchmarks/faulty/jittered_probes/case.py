"""Kind of alloy from probe readings; every reading gets a little jitter when it is fetched."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

KINDS = 6


class Probes(Dataset):
    def __init__(self, count, seed, jitter=0.0):
        centre = torch.randn(KINDS, 10, generator=torch.Generator().manual_seed(75))
        self.g = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(KINDS, (count,), generator=self.g)
        self.x = centre[self.kind] + 0.6 * torch.randn(count, 10, generator=self.g)
        self.jitter = jitter

    def __len__(self):
        return len(self.kind)

    def fetch(self, i):
        return self.x[i]

    def __getitem__(self, i):
        x = self.fetch(i)
        x += self.jitter * torch.randn(10, generator=self.g)
        return x, self.kind[i]


class Probes2(Probes):
    def fetch(self, i):
        return self.x[i].clone()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(75)
    probes = Probes2 if fixed else Probes
    model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, KINDS))
    g = torch.Generator().manual_seed(75)
    return {
        "model": model,
        "train": DataLoader(probes(1200, 1, 0.45), 40, shuffle=True, generator=g),
        "val": DataLoader(probes(400, 2), 100),
        "test": DataLoader(probes(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 14,
        "task": "classification",
    }
