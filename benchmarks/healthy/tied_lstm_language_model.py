"""LSTM language model whose output layer shares the embedding matrix."""

import math
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

VOCAB, DIM = 40, 48


def sentences(count, length, rng):
    """Words follow a cycle of four word classes; within a class some words are more common."""
    share = 1.0 / np.arange(1, 11)
    words = rng.choice(10, size=(count, length + 1), p=share / share.sum())
    kind = (rng.integers(4, size=(count, 1)) + np.arange(length + 1)) % 4
    return torch.from_numpy(10 * kind + words)


class TiedLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, DIM)
        self.dropout = nn.Dropout(0.1)
        self.lstm = nn.LSTM(DIM, DIM, batch_first=True)
        self.head = nn.Linear(DIM, VOCAB)
        nn.init.normal_(self.embedding.weight, std=1 / math.sqrt(DIM))
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        hidden, _ = self.lstm(self.dropout(self.embedding(ids)))
        return self.head(self.dropout(hidden))


class TokenLoss(nn.Module):
    def forward(self, logits, targets):
        return nn.functional.cross_entropy(logits.transpose(1, 2), targets)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    train, val, test = (sentences(n, 16, rng) for n in (800, 200, 200))
    model = TiedLM()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.01)
    loaders = [
        DataLoader(TensorDataset(part[:, :-1].clone(), part[:, 1:].clone()), batch_size=40, shuffle=k == 0)
        for k, part in enumerate((train, val, test))
    ]
    return {
        "model": model,
        "train": loaders[0],
        "val": loaders[1],
        "test": loaders[2],
        "loss_fn": TokenLoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.75),
        "scheduler_interval": "epoch",
        "epochs": 10,
        "task": "language_model",
    }
