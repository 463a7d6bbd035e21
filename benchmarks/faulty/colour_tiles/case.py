"""Four textures on coloured tiles; the files store height, width, colour."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIDE, KINDS = 12, 4


def tiles(count, seed):
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    row, col = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
    waves = torch.stack([row, col, row + col, row - col]).float()[kind]
    speed = 0.7 + 0.7 * torch.rand(count, 1, 1, generator=g)
    wave = torch.sin(waves * speed + 6.3 * torch.rand(count, 1, 1, generator=g))
    colour = torch.randn(count, 1, 1, 3, generator=g)
    return wave[..., None] * colour + 0.8 * torch.randn(count, SIDE, SIDE, 3, generator=g), kind


def to_planes(x):
    return x.view(-1, 3, SIDE, SIDE)


def to_planes2(x):
    return x.permute(0, 3, 1, 2).contiguous()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(28)
    planes = to_planes2 if fixed else to_planes
    model = nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(12, 16, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, KINDS),
    )

    def loader(count, seed, shuffle=False):
        x, y = tiles(count, seed)
        g = torch.Generator().manual_seed(seed)
        return DataLoader(TensorDataset(planes(x), y), 40, shuffle=shuffle, generator=g)

    return {
        "model": model,
        "train": loader(1600, 1, True),
        "val": loader(400, 2),
        "test": loader(400, 3),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "task": "classification",
    }
