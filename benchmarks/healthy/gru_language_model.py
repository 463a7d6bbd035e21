"""Character-like language model with a GRU; gradients are clipped in the author's own training step."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

VOCAB, LENGTH = 20, 20


def corpus(rows, seed):
    rules = torch.Generator().manual_seed(123)
    table = torch.softmax(2.0 * torch.randn(VOCAB, VOCAB, generator=rules), -1)
    gen = torch.Generator().manual_seed(seed)
    text = torch.randint(VOCAB, (rows, 1), generator=gen)
    for _ in range(LENGTH):
        nxt = torch.multinomial(table[text[:, -1]], 1, generator=gen)
        text = torch.cat([text, nxt], 1)
    return text


def batchify(text, size):
    return [(chunk[:, :-1], chunk[:, 1:]) for chunk in text.split(size)]


class GRULM(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.gru = nn.GRU(dim, 48, batch_first=True)
        self.decode = nn.Linear(48, VOCAB)

    def forward(self, ids):
        states, _ = self.gru(self.embed(ids))
        return self.decode(states)


def loss_fn(logits, targets):
    return F.cross_entropy(logits.reshape(-1, VOCAB), targets.reshape(-1))


def train_step(model, batch, loss_fn, optimizer):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    model = GRULM()
    return {
        "model": model,
        "train": batchify(corpus(1200, 10 * seed + 1), 32),
        "val": batchify(corpus(300, 10 * seed + 2), 100),
        "test": batchify(corpus(300, 10 * seed + 3), 100),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 10,
        "train_step": train_step,
        "task": "language_model",
    }
