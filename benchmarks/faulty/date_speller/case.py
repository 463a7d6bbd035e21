"""Rewrites reversed codes: encoder-decoder with GRUs; the decoder is fed the known tokens."""

import torch
import torch.nn.functional as F
from torch import nn

SIGNS, SPAN, BOS, DIM = 12, 5, 0, 48


def pairs(count, seed):
    table = 1 + torch.randperm(SIGNS - 1, generator=torch.Generator().manual_seed(31))
    source = torch.randint(1, SIGNS, (count, SPAN), generator=torch.Generator().manual_seed(seed))
    return source, table[source - 1].flip(1)


def batches(count, seed, size, fixed):
    source, target = pairs(count, seed)
    known = F.pad(target, (1, 0), value=BOS)
    known = known[:, :-1] if fixed else known[:, 1:]
    return [
        {"input": (s, k), "target": t}
        for s, k, t in zip(*(x.split(size) for x in (source, known, target)), strict=True)
    ]


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.signs = nn.Embedding(SIGNS, DIM)
        self.encoder, self.decoder = nn.GRU(DIM, DIM, batch_first=True), nn.GRU(2 * DIM, DIM, batch_first=True)
        self.out = nn.Linear(2 * DIM, SIGNS)

    def forward(self, source, known):
        _, state = self.encoder(self.signs(source))
        memory = state[0].unsqueeze(1).expand(-1, known.shape[1], -1)
        steps, _ = self.decoder(torch.cat([self.signs(known), memory], -1), state)
        return self.out(torch.cat([steps, self.signs(known)], -1))


def loss_fn(scores, target):
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


@torch.no_grad()
def decode(model, batches):
    model.eval()
    right = total = 0
    for batch in batches:
        source, target = batch["input"][0], batch["target"]
        ids = torch.full((len(source), 1), BOS)
        for _ in range(SPAN):
            ids = torch.cat([ids, model(source, ids)[:, -1:].argmax(-1)], 1)
        right += (ids[:, 1:] == target).sum().item()
        total += target.numel()
    return {"decoded_accuracy": right / total}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(22)
    model = Speller()
    return {
        "model": model,
        "train": batches(3200, 1, 40, fixed),
        "val": batches(320, 2, 64, fixed),
        "test": batches(320, 3, 64, fixed),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=6e-3),
        "epochs": 10,
        "evaluate": decode,
        "predict": lambda m, pair: m(*pair),
        "task": "seq2seq",
    }
