"""Encoder-decoder transformer that translates one toy language into another, word order included."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

PAD, BOS, EOS, VOCAB, LONGEST = 0, 1, 2, 15, 9


def pairs(count, gen):
    """The translation exchanges neighbours pairwise and replaces every word."""
    lexicon = torch.randperm(12, generator=torch.Generator().manual_seed(5)) + 3
    seen = {}
    while len(seen) < count:
        words = torch.randint(12, (int(torch.randint(4, 8, (1,), generator=gen)),), generator=gen)
        swapped = [int(words[i ^ 1]) if i ^ 1 < len(words) else int(words[i]) for i in range(len(words))]
        seen[tuple((words + 3).tolist())] = [lexicon[w].item() for w in swapped]
    return [(list(src), [BOS, *tgt, EOS]) for src, tgt in seen.items()]


def pad(rows):
    return torch.tensor([r + [PAD] * (max(map(len, rows)) - len(r)) for r in rows])


def collate(items):
    source, target = pad([s for s, _ in items]), pad([t for _, t in items])
    return {"input": (source, target[:, :-1]), "target": target[:, 1:]}


class Translator(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.src, self.tgt = nn.Embedding(VOCAB, dim), nn.Embedding(VOCAB, dim)
        self.pos = nn.Embedding(LONGEST, dim)
        kwargs = {"dim_feedforward": 96, "dropout": 0.0, "batch_first": True}
        layer = nn.TransformerEncoderLayer(dim, 4, **kwargs)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(dim, 4, **kwargs), 1)
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, src, tgt):
        causal = torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).triu(1)
        memory = self.encoder(self.src(src) + self.pos.weight[: src.shape[1]], src_key_padding_mask=src == PAD)
        hidden = self.decoder(
            self.tgt(tgt) + self.pos.weight[: tgt.shape[1]],
            memory,
            tgt_mask=causal,
            tgt_key_padding_mask=tgt == PAD,
            memory_key_padding_mask=src == PAD,
        )
        return self.out(hidden)


def loss_fn(logits, targets):
    return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=PAD)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = pairs(2000, torch.Generator().manual_seed(seed))
    model = Translator()
    train = DataLoader(data[:1600], batch_size=50, shuffle=True, collate_fn=collate)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    epochs = 8
    return {
        "model": model,
        "train": train,
        "val": DataLoader(data[1600:1800], batch_size=100, collate_fn=collate),
        "test": DataLoader(data[1800:], batch_size=100, collate_fn=collate),
        "loss_fn": loss_fn,
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=epochs * len(train)),
        "scheduler_interval": "step",
        "epochs": epochs,
        "predict": lambda m, inp: m(*inp),
        "task": "seq2seq",
    }
