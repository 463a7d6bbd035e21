"""Sorts letters into drawers by the words in them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, DRAWERS = 150, 8


def letters(count, seed):
    lean = torch.softmax(0.75 * torch.randn(DRAWERS, WORDS, generator=torch.Generator().manual_seed(38)), 1)
    g = torch.Generator().manual_seed(seed)
    drawer = torch.randint(DRAWERS, (count,), generator=g)
    words = torch.multinomial(lean[drawer], 25, replacement=True, generator=g)
    return TensorDataset(torch.zeros(count, WORDS).scatter_add_(1, words, torch.ones(count, 25)), drawer)


class Drawer(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(WORDS, 32), nn.Linear(32, DRAWERS)

    def thin(self, h):
        return nn.Dropout(0.5)(h)

    def forward(self, bag):
        return self.b(self.thin(torch.relu(self.a(bag))))


class Drawer2(Drawer):
    def __init__(self):
        super().__init__()
        self.thin_layer = nn.Dropout(0.5)

    def thin(self, h):
        return self.thin_layer(h)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(38)
    model = Drawer2() if fixed else Drawer()
    g = torch.Generator().manual_seed(38)
    return {
        "model": model,
        "train": DataLoader(letters(3000, 1), 50, shuffle=True, generator=g),
        "val": DataLoader(letters(500, 2), 100),
        "test": DataLoader(letters(500, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 10,
        "task": "classification",
    }
