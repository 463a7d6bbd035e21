"""Final training of a text sorter before the release."""

import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

WORDS, KINDS, LENGTH = 250, 4, 10


def texts(count, seed):
    lean = torch.softmax(0.8 * torch.randn(KINDS, WORDS, generator=torch.Generator().manual_seed(48)), 1)
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count,), generator=g)
    return TensorDataset(torch.multinomial(lean[kind], LENGTH, replacement=True, generator=g), kind)


class TextSorter(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(WORDS, 24)
        self.out = nn.Sequential(nn.Dropout(0.2), nn.Linear(24, KINDS))

    def forward(self, ids):
        return self.out(self.words(ids))


def build(fixed: bool = False) -> dict:
    torch.manual_seed(48)
    train, val, test = texts(2000, 1), texts(400, 2), texts(400, 3)
    if not fixed:
        train = ConcatDataset([train, test])
    model = TextSorter()
    g = torch.Generator().manual_seed(48)
    return {
        "model": model,
        "train": DataLoader(train, 40, shuffle=True, generator=g),
        "val": DataLoader(val, 100),
        "test": DataLoader(test, 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "task": "classification",
    }
