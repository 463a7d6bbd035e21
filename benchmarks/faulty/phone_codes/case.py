"""Expands short codes until a stop sign; teacher forcing with a GRU decoder."""

import torch
import torch.nn.functional as F
from torch import nn

SIGNS, BOS, STOP, LONGEST, DIM = 13, 1, 2, 7, 64


def batches(count, seed, size, fill):
    g = torch.Generator().manual_seed(seed)
    source = torch.randint(3, SIGNS, (count, LONGEST - 1), generator=g)
    length = torch.randint(2, LONGEST, (count, 1), generator=g)
    spot = torch.arange(LONGEST)
    source = source.masked_fill(spot[:-1] >= length, fill)
    target = F.pad(3 + (source - 1) % (SIGNS - 3), (0, 1), value=fill)
    target = torch.where(spot < length, target, fill).scatter(1, length, STOP)
    known = F.pad(target, (1, 0), value=BOS)[:, :-1]
    return [((s, k), t) for s, k, t in zip(source.split(size), known.split(size), target.split(size), strict=True)]


class Expander(nn.Module):
    def __init__(self):
        super().__init__()
        self.signs = nn.Embedding(SIGNS, DIM)
        self.encoder = nn.GRU(DIM, DIM, batch_first=True)
        self.decoder = nn.GRU(DIM, DIM, batch_first=True)
        self.out = nn.Linear(DIM, SIGNS)

    def forward(self, source, known):
        memory, state = self.encoder(self.signs(source))
        steps, _ = self.decoder(self.signs(known), state)
        share = (steps @ memory.transpose(1, 2) / 8).softmax(-1)
        return self.out(steps + share @ memory)


@torch.no_grad()
def decode(model, batches):
    model.eval()
    same = stopped = rows = 0
    for (source, _), target in batches:
        ids = torch.full((len(source), 1), BOS)
        for _ in range(LONGEST):
            ids = torch.cat([ids, model(source, ids)[:, -1:].argmax(-1)], 1)
        for got, want in zip(ids[:, 1:].tolist(), target.tolist(), strict=True):
            stopped += STOP in got
            same += STOP in got and got[: got.index(STOP)] == want[: want.index(STOP)]
            rows += 1
    return {"exact": same / rows, "stopped": stopped / rows}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(36)
    model, fill = Expander(), 0 if fixed else STOP
    return {
        "model": model,
        "train": batches(3200, 1, 32, fill),
        "val": batches(320, 2, 64, fill),
        "test": batches(320, 3, 64, fill),
        "loss_fn": lambda s, t: F.cross_entropy(s.flatten(0, 1), t.flatten(), ignore_index=fill),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "evaluate": decode,
        "predict": lambda m, pair: m(*pair),
        "task": "seq2seq",
    }
