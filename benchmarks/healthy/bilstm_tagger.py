"""Tag every word of a sentence with a bidirectional LSTM; padded positions carry the label -100."""

from typing import Any

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

WORDS, TAGS = 30, 5


def sentence(generator):
    """A word's tag depends on its own class and on the class of the following word."""
    length = int(torch.randint(4, 13, (1,), generator=generator))
    words = torch.randint(1, WORDS, (length,), generator=generator)
    following = torch.cat([words[1:], torch.zeros(1, dtype=torch.long)])
    return words, (words % 3 + 2 * (following % 2)) % TAGS


def collate(sentences):
    words, tags = zip(*sentences, strict=True)
    lengths = torch.tensor([len(w) for w in words])
    words = pad_sequence(list(words), batch_first=True, padding_value=0)
    tags = pad_sequence(list(tags), batch_first=True, padding_value=-100)
    return {"input": (words, lengths), "target": tags}


class Tagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embed = nn.Embedding(WORDS, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, dim, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * dim, TAGS)

    def forward(self, inputs):
        words, lengths = inputs
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.tag(states)


def loss_fn(logits, tags):
    return nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-100)


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    right = total = 0
    for batch in batches:
        tags = batch["target"]
        known = tags != -100
        right += (model(batch["input"]).argmax(-1) == tags)[known].sum().item()
        total += known.sum().item()
    return {"tag_accuracy": right / total}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    corpus = [[sentence(gen) for _ in range(n)] for n in (900, 200, 200)]
    model = Tagger()
    train, val, test = (
        DataLoader(part, batch_size=30, shuffle=k == 0, collate_fn=collate) for k, part in enumerate(corpus)
    )
    return {
        "model": model,
        "train": train,
        "val": val,
        "test": test,
        "loss_fn": loss_fn,
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 12,
        "evaluate": evaluate,
        "predict": lambda model, inputs: model(inputs),
        "task": "classification",
    }
