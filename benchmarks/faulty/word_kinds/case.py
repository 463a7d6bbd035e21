"""Kind of every word; a start token is put before each sentence."""

import torch
import torch.nn.functional as F
from torch import nn

WORDS, KINDS, LENGTH, START, SKIP = 80, 6, 11, 0, -100


def sentences(count, seed):
    base = torch.Generator().manual_seed(44)
    kind_of = torch.randint(KINDS, (WORDS,), generator=base)
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, WORDS, (count, LENGTH), generator=g)
    return ids, (kind_of[ids] + (ids.roll(1, 1) > WORDS // 2).long()) % KINDS


def batches(count, seed, size, lead):
    ids, kinds = sentences(count, seed)
    ids = F.pad(ids, (1, 0), value=START)
    kinds = F.pad(kinds, (1, 0), value=SKIP) if lead else F.pad(kinds, (0, 1), value=SKIP)
    return list(zip(ids.split(size), kinds.split(size), strict=True))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 24)
        self.lstm = nn.LSTM(24, 32, batch_first=True)
        self.out = nn.Linear(32, KINDS)

    def forward(self, ids):
        return self.out(self.lstm(self.words(ids))[0])


def loss_fn(scores, kinds):
    return F.cross_entropy(scores.flatten(0, 1), kinds.flatten(), ignore_index=SKIP)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(32)
    model = Tagger()
    return {
        "model": model,
        "train": batches(1500, 1, 30, fixed),
        "val": batches(300, 2, 50, True),
        "test": batches(300, 3, 50, True),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 8,
        "task": "seq2seq",
    }
