"""Which of two cues came first? A small transformer over a row of tokens."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TOKENS, LENGTH, DIM = 16, 10, 32


def rows(count, seed):
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(4, TOKENS, (count, LENGTH), generator=g)
    where = torch.rand(count, LENGTH, generator=g).argsort(1)[:, :2]
    kind = torch.randint(2, (count,), generator=g)
    ids.scatter_(1, where[:, :1], 2 * kind[:, None]).scatter_(1, where[:, 1:], 2 * kind[:, None] + 1)
    return TensorDataset(ids, 2 * kind + (where[:, 0] < where[:, 1]).long())


class CueModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(TOKENS, DIM)
        layer = nn.TransformerEncoderLayer(DIM, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(DIM, 4)

    def embed(self, ids):
        return self.tokens(ids)

    def forward(self, ids):
        return self.out(self.encoder(self.embed(ids)).mean(1))


class CueModel2(CueModel):
    def __init__(self):
        super().__init__()
        self.spots = nn.Embedding(LENGTH, DIM)

    def embed(self, ids):
        return self.tokens(ids) + self.spots(torch.arange(ids.shape[1]))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(129)
    model = CueModel2() if fixed else CueModel()
    g = torch.Generator().manual_seed(129)
    return {
        "model": model,
        "train": DataLoader(rows(2400, 1), 48, shuffle=True, generator=g),
        "val": DataLoader(rows(400, 2), 100),
        "test": DataLoader(rows(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 8,
        "task": "classification",
    }
