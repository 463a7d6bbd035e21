"""Same digit or not? One encoder for both images, contrastive loss on their distance."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MARGIN = 1.0


def make_pairs(images, labels, count, gen):
    """Half of the pairs show the same digit; the target is 1 when they differ."""
    first = torch.randint(len(images), (2 * count,), generator=gen)
    second = torch.randint(len(images), (2 * count,), generator=gen)
    same = (torch.arange(2 * count) % 2).bool()
    for i in torch.where(same)[0].tolist():
        twins = torch.where(labels == labels[first[i]])[0]
        second[i] = twins[torch.randint(len(twins), (1,), generator=gen)]
    codes = (first * len(images) + second).tolist()
    seen = {c: i for i, c in enumerate(codes) if first[i] != second[i]}
    keep = torch.tensor(sorted(seen.values()))[:count]
    a, b = first[keep], second[keep]
    return TensorDataset(images[a], images[b], (labels[a] != labels[b]).float())


def collate(rows):
    a, b, different = (torch.stack(column) for column in zip(*rows, strict=True))
    return (a, b), different


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 16))

    def forward(self, a, b):
        return F.pairwise_distance(self.encoder(a), self.encoder(b))


def contrastive(distance, different):
    return ((1 - different) * distance**2 + different * F.relu(MARGIN - distance) ** 2).mean()


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    right = [(model(*pair) > MARGIN / 2) == (different > 0) for pair, different in batches]
    return {"accuracy": torch.cat(right).float().mean().item()}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    data = load_digits()
    perm = torch.randperm(1797, generator=gen)
    x, y = torch.tensor(data.data, dtype=torch.float32)[perm] / 16, torch.tensor(data.target)[perm]
    parts = ((0, 1300, 4000), (1300, 1550, 600), (1550, 1797, 600))
    sets = [make_pairs(x[a:b], y[a:b], n, gen) for a, b, n in parts]
    model = Siamese()
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=64, shuffle=True, collate_fn=collate),
        "val": DataLoader(sets[1], batch_size=200, collate_fn=collate),
        "test": DataLoader(sets[2], batch_size=200, collate_fn=collate),
        "loss_fn": contrastive,
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4),
        "epochs": 10,
        "evaluate": evaluate,
        "predict": lambda m, pair: m(*pair),
        "task": "binary",
    }
