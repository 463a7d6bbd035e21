"""Did the first marked dish come before the second? A transformer encoder over order slips."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DISHES, LENGTH, DIM = 20, 9, 32


def slips(count, seed):
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(2, DISHES, (count, LENGTH), generator=g)
    where = torch.rand(count, LENGTH, generator=g).argsort(1)[:, :2]
    ids.scatter_(1, where[:, :1], 0).scatter_(1, where[:, 1:], 1)
    return TensorDataset(ids, (where[:, 0] < where[:, 1]).long())


class SlipEncoder(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.dishes, self.spots = nn.Embedding(DISHES, DIM), nn.Embedding(LENGTH, DIM)
        layer = nn.TransformerEncoderLayer(DIM, 4, 64, dropout=0.0, **options)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(DIM, 2)

    def forward(self, ids):
        x = self.dishes(ids) + self.spots(torch.arange(LENGTH))
        x = self.encoder(x)
        return self.out(x[:, -1])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(27)
    model = SlipEncoder(batch_first=True) if fixed else SlipEncoder()
    g = torch.Generator().manual_seed(27)
    return {
        "model": model,
        "train": DataLoader(slips(2400, 1), 48, shuffle=True, generator=g),
        "val": DataLoader(slips(480, 2), 48),
        "test": DataLoader(slips(480, 3), 48),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3),
        "epochs": 8,
        "task": "classification",
    }
