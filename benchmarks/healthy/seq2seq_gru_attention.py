"""Spell short codes backwards with a GRU encoder-decoder and attention; scored by greedy decoding."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

PAD, BOS, EOS, SIGNS = 0, 1, 2, 12


def codes(count, seed):
    gen, seen = torch.Generator().manual_seed(seed), set()
    while len(seen) < count:
        length = int(torch.randint(4, 8, (1,), generator=gen))
        seen.add(tuple(torch.randint(3, SIGNS, (length,), generator=gen).tolist()))
    codes = sorted(seen)
    return [codes[i] for i in torch.randperm(count, generator=gen).tolist()]


def make_batches(codes, size=40):
    batches = []
    for i in range(0, len(codes), size):
        source = torch.zeros(len(codes[i : i + size]), 7, dtype=torch.long)
        decoder_in, target = (torch.zeros(len(source), 8, dtype=torch.long) for _ in range(2))
        for row, code in enumerate(codes[i : i + size]):
            n, back = len(code), torch.tensor(code[::-1])
            source[row, :n] = torch.tensor(code)
            decoder_in[row, 0], decoder_in[row, 1 : n + 1] = BOS, back
            target[row, :n], target[row, n] = back, EOS
        batches.append(((source, decoder_in), target))
    return batches


class Speller(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(SIGNS, dim, padding_idx=PAD)
        self.encoder = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * dim, dim)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.query = nn.Linear(dim, 2 * dim, bias=False)
        self.out = nn.Linear(3 * dim, SIGNS)

    def forward(self, source, decoder_in):
        memory, last = self.encoder(self.embed(source))
        first = torch.tanh(self.bridge(torch.cat([last[0], last[1]], -1)))
        states, _ = self.decoder(self.embed(decoder_in), first[None])
        scores = self.query(states) @ memory.transpose(1, 2) / memory.shape[-1] ** 0.5
        scores = scores.masked_fill((source == PAD)[:, None, :], -1e9)
        return self.out(torch.cat([states, scores.softmax(-1) @ memory], -1))


def loss_fn(logits, target):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    exact = count = 0
    for (source, _), target in batches:
        ids = torch.full((len(source), 1), BOS)
        for _ in range(target.shape[1]):
            ids = torch.cat([ids, model(source, ids)[:, -1:].argmax(-1)], 1)
        exact += ((ids[:, 1:] == target) | (target == PAD)).all(1).sum().item()
        count += len(source)
    return {"exact_match": exact / count}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = codes(2000, seed)
    model = Speller()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    return {
        "model": model,
        "train": make_batches(data[:1600]),
        "val": make_batches(data[1600:1800]),
        "test": make_batches(data[1800:]),
        "loss_fn": loss_fn,
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.75),
        "scheduler_interval": "epoch",
        "epochs": 10,
        "evaluate": evaluate,
        "predict": lambda model, inputs: model(*inputs),
        "task": "seq2seq",
    }
