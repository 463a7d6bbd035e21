"""Character model trained on the reference pages of a library."""

import torch
import torch.nn.functional as F
from torch import nn

LENGTH = 32


def corpus():
    pages = (nn.LSTM, nn.Conv2d, nn.MultiheadAttention, nn.CrossEntropyLoss, nn.CTCLoss, nn.Embedding)
    text = " ".join(" ".join(p.__doc__.lower().split()) for p in pages)
    signs = sorted(set(text))
    return torch.tensor([signs.index(c) for c in text]), len(signs)


def batches(ids, size):
    rows = ids[: len(ids) // (LENGTH + 1) * (LENGTH + 1)].view(-1, LENGTH + 1)
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(0))
    return [(rows[i][:, :-1], rows[i][:, 1:]) for i in order.split(size)]


class CharModel(nn.Module):
    def __init__(self, signs, both_ways):
        super().__init__()
        self.signs = nn.Embedding(signs, 24)
        self.lstm = nn.LSTM(24, 48, batch_first=True, bidirectional=both_ways)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(96 if both_ways else 48, signs)

    def forward(self, ids):
        states, _ = self.lstm(self.signs(ids))
        return self.out(self.drop(states))


def char_loss(scores, target):
    return F.cross_entropy(scores.transpose(1, 2), target)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(16)
    ids, signs = corpus()
    cut = int(len(ids) * 0.8)
    model = CharModel(signs, both_ways=not fixed)
    return {
        "model": model,
        "train": batches(ids[:cut], 16),
        "val": batches(ids[cut:], 32),
        "test": None,
        "loss_fn": char_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 10,
        "task": "language_model",
    }
