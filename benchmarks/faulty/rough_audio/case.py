"""Four tones; noise is added to training clips for robustness."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

TONES, LENGTH = 4, 40


class Tones(Dataset):
    def __init__(self, count, seed, level=0.0):
        g = torch.Generator().manual_seed(seed)
        self.tone = torch.randint(TONES, (count,), generator=g)
        t = torch.arange(LENGTH) + 10 * torch.rand(count, 1, generator=g)
        self.x = torch.sin((0.3 + 0.25 * self.tone[:, None]) * t) + 0.3 * torch.randn(count, LENGTH, generator=g)
        self.level = level

    def __len__(self):
        return len(self.tone)

    def __getitem__(self, i):
        return self.x[i] + self.level * torch.randn(LENGTH), self.tone[i]


class ToneNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 24, 11)
        self.out = nn.Linear(24, TONES)

    def forward(self, x):
        return self.out(torch.relu(self.conv(x[:, None])).mean(-1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(85)
    model = ToneNet()
    g = torch.Generator().manual_seed(85)
    return {
        "model": model,
        "train": DataLoader(Tones(1200, 1, 0.3 if fixed else 6.0), 30, shuffle=True, generator=g),
        "val": DataLoader(Tones(400, 2), 100),
        "test": DataLoader(Tones(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "task": "classification",
    }
