"""Three kinds of opinions told apart by a small transformer encoder."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, LENGTH, KINDS, DIM = 120, 12, 3, 32


def opinions(count, seed):
    tone = torch.softmax(1.3 * torch.randn(KINDS, WORDS, generator=torch.Generator().manual_seed(90)), 1)
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(torch.multinomial(tone[kind], LENGTH, replacement=True, generator=g), kind)


class OpinionEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.spots = nn.Embedding(WORDS, DIM), nn.Parameter(0.1 * torch.randn(LENGTH, DIM))
        layer = nn.TransformerEncoderLayer(DIM, 4, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(DIM, KINDS)

    def forward(self, ids):
        return self.out(self.encoder(self.words(ids) + self.spots).mean(1))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(10)
    model = OpinionEncoder()
    g = torch.Generator().manual_seed(10)
    return {
        "model": model,
        "train": DataLoader(opinions(2000, 1), 50, shuffle=True, generator=g),
        "val": DataLoader(opinions(400, 2), 100),
        "test": DataLoader(opinions(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-3 if fixed else 5e-2),
        "epochs": 5,
        "task": "classification",
    }
