"""Genre of a book from its shelf card; a sampler picks the cards of a pass."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset

FEATS, GENRES = 30, 6


class Picks(Sampler):
    def __init__(self, size, count):
        self.size, self.count = size, count
        self.start()

    def start(self):
        self.g = torch.Generator().manual_seed(77)

    def __len__(self):
        return self.count

    def __iter__(self):
        self.start()
        return iter(torch.randint(self.size, (self.count,), generator=self.g).tolist())


class Picks2(Picks):
    def __iter__(self):
        return iter(torch.randint(self.size, (self.count,), generator=self.g).tolist())


def cards(count, seed):
    centre = 0.6 * torch.randn(GENRES, FEATS, generator=torch.Generator().manual_seed(78))
    g = torch.Generator().manual_seed(seed)
    genre = torch.randint(GENRES, (count,), generator=g)
    return TensorDataset(centre[genre] + 1.2 * torch.randn(count, FEATS, generator=g), genre)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(77)
    train = cards(6000, 1)
    model = nn.Sequential(nn.Linear(FEATS, 96), nn.ReLU(), nn.Linear(96, GENRES))
    return {
        "model": model,
        "train": DataLoader(train, 32, sampler=(Picks2 if fixed else Picks)(len(train), 320)),
        "val": DataLoader(cards(500, 2), 100),
        "test": DataLoader(cards(500, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 30,
        "task": "classification",
    }
