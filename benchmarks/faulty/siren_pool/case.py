"""Kind of siren in a recording: attention pooling over frames finds the few loud ones."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS, FRAMES, BANDS = 5, 20, 12


def clips(count, seed):
    shape = torch.randn(KINDS, BANDS, generator=torch.Generator().manual_seed(66))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    x = torch.randn(count, FRAMES, BANDS, generator=g)
    start = torch.randint(FRAMES - 2, (count,), generator=g)
    for k in range(2):
        x[torch.arange(count), start + k] += 1.1 * shape[kind]
    return TensorDataset(x, kind)


class Pool(nn.Module):
    def __init__(self, axis):
        super().__init__()
        self.axis = axis
        self.frame = nn.Sequential(nn.Linear(BANDS, 32), nn.ReLU())
        self.score = nn.Linear(32, 1)
        self.out = nn.Linear(32, KINDS)

    def forward(self, x):
        h = self.frame(x)
        share = torch.softmax(self.score(h).squeeze(-1), dim=self.axis)
        return self.out((share.unsqueeze(-1) * h).sum(1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(30)
    model = Pool(1 if fixed else 0)
    g = torch.Generator().manual_seed(30)
    return {
        "model": model,
        "train": DataLoader(clips(2000, 1), 32, shuffle=True, generator=g),
        "val": DataLoader(clips(400, 2), 100),
        "test": DataLoader(clips(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 8,
        "task": "classification",
    }
