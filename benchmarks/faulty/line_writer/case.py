"""Next token of short lines; the score compares written tokens with the real ones."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TOKENS, LENGTH = 20, 14


def lines(count, seed):
    follow = torch.softmax(2.5 * torch.randn(TOKENS, TOKENS, generator=torch.Generator().manual_seed(135)), 1)
    g = torch.Generator().manual_seed(seed)
    ids = [torch.randint(TOKENS, (count,), generator=g)]
    for _ in range(LENGTH):
        ids.append(torch.multinomial(follow[ids[-1]], 1, generator=g).squeeze(1))
    ids = torch.stack(ids, 1)
    return TensorDataset(ids[:, :-1], ids[:, 1:])


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(TOKENS, 24)
        self.gru = nn.GRU(24, 32, batch_first=True)
        self.out = nn.Linear(32, TOKENS)

    def forward(self, ids):
        return self.out(self.gru(self.tokens(ids))[0])


def write(scores):
    return torch.distributions.Categorical(logits=scores).sample()


def write2(scores):
    return scores.argmax(-1)


class Score:
    def __init__(self, pick):
        self.pick = pick

    @torch.no_grad()
    def __call__(self, model, batches):
        model.eval()
        same = [(self.pick(model(ids)) == target).float().flatten() for ids, target in batches]
        return {"token_accuracy": torch.cat(same).mean().item()}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(135)
    model = Writer()
    g = torch.Generator().manual_seed(135)
    return {
        "model": model,
        "train": DataLoader(lines(1500, 1), 30, shuffle=True, generator=g),
        "val": DataLoader(lines(200, 2), 50),
        "test": DataLoader(lines(200, 3), 50),
        "loss_fn": lambda s, t: F.cross_entropy(s.flatten(0, 1), t.flatten()),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 5,
        "evaluate": Score(write2 if fixed else write),
        "task": "language_model",
    }
