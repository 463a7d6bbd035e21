"""Label every pixel as background, square or disc with a small U-shaped network."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 20


def pictures(count, gen):
    mask = torch.zeros(count, SIZE, SIZE, dtype=torch.long)
    rows, cols = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    for kind in (1, 2):
        cy, cx, r = torch.randint(4, 16, (count,), generator=gen), torch.randint(4, 16, (count,), generator=gen), 3
        dy, dx = rows - cy[:, None, None], cols - cx[:, None, None]
        inside = torch.maximum(dy.abs(), dx.abs()) <= r if kind == 1 else dy**2 + dx**2 <= (r + 1) ** 2
        mask[inside] = kind
    bright = (mask == 1) * 0.9 + (mask == 2) * 1.4
    noise = 0.3 * torch.randn(count, SIZE, SIZE, generator=gen)
    return (bright + noise)[:, None], mask


class SmallUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.enc = nn.Conv2d(1, c, 3, padding=1)
        self.mid = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.dec = nn.Conv2d(3 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 3, 1)

    def forward(self, x):
        fine = F.relu(self.enc(x))
        coarse = F.relu(self.mid(F.max_pool2d(fine, 2)))
        up = F.interpolate(coarse, scale_factor=2, mode="nearest")
        return self.out(F.relu(self.dec(torch.cat([fine, up], dim=1))))


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    overlap, union = torch.zeros(3), torch.zeros(3)
    for images, masks in batches:
        guess = model(images).argmax(1)
        for k in range(3):
            overlap[k] += ((guess == k) & (masks == k)).sum()
            union[k] += ((guess == k) | (masks == k)).sum()
    return {"mean_iou": (overlap / union).mean().item()}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    images, masks = pictures(700, gen)
    images = (images - images[:500].mean()) / images[:500].std()
    model = SmallUNet()
    train, val, test = (TensorDataset(images[s], masks[s]) for s in (slice(500), slice(500, 600), slice(600, 700)))
    return {
        "model": model,
        "train": DataLoader(train, batch_size=20, shuffle=True),
        "val": DataLoader(val, batch_size=50),
        "test": DataLoader(test, batch_size=50),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 8,
        "evaluate": evaluate,
        "task": "classification",
    }
