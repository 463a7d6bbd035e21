"""Ticket router: mean of word vectors; the word table is enlarged for new product names."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, EXTRA, QUEUES, LENGTH = 500, 150, 6, 14


class Router(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.words = nn.Embedding(WORDS, width)
        self.hidden = nn.Linear(width, 32)
        self.out = nn.Linear(32, QUEUES)

    def forward(self, ids):
        return self.out(torch.relu(self.hidden(self.words(ids).mean(1))))

    def extend(self, extra):
        old = self.words
        self.words = nn.Embedding(old.num_embeddings + extra, old.embedding_dim)
        with torch.no_grad():
            self.words.weight[: old.num_embeddings] = old.weight


def tickets(count, seed):
    taste = torch.softmax(1.1 * torch.randn(QUEUES, WORDS + EXTRA, generator=torch.Generator().manual_seed(0)), 1)
    g = torch.Generator().manual_seed(seed)
    queue = torch.randint(QUEUES, (count,), generator=g)
    return TensorDataset(torch.multinomial(taste[queue], LENGTH, replacement=True, generator=g), queue)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(8)
    model = Router()
    if fixed:
        model.extend(EXTRA)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    if not fixed:
        model.extend(EXTRA)
    g = torch.Generator().manual_seed(8)
    return {
        "model": model,
        "train": DataLoader(tickets(4000, 1), 64, shuffle=True, generator=g),
        "val": DataLoader(tickets(500, 2), 100),
        "test": DataLoader(tickets(500, 3), 100),
        "loss_fn": nn.functional.cross_entropy,
        "optimizer": optimizer,
        "epochs": 5,
        "task": "classification",
    }
