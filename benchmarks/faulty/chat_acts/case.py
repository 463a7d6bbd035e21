"""Act of every turn in a chat; chats are filled up to twelve turns."""

import torch
import torch.nn.functional as F
from torch import nn

TURNS, FEATS, ACTS = 12, 10, 5


def chats(count, seed):
    base = torch.Generator().manual_seed(59)
    centre, habit = 0.7 * torch.randn(ACTS, FEATS, generator=base), torch.randint(ACTS, (ACTS,), generator=base)
    g = torch.Generator().manual_seed(seed)
    acts = torch.randint(ACTS, (count, TURNS), generator=g)
    for t in range(1, TURNS):
        acts[:, t] = torch.where(torch.rand(count, generator=g) < 0.5, habit[acts[:, t - 1]], acts[:, t])
    x = centre[acts] + torch.randn(count, TURNS, FEATS, generator=g)
    gone = torch.arange(TURNS) >= torch.randint(1, 5, (count, 1), generator=g)
    return x.masked_fill(gone[..., None], 0.0), acts.masked_fill(gone, -100)


def batches(count, seed, size):
    x, acts = chats(count, seed)
    return [{"input": a, "target": b} for a, b in zip(x.split(size), acts.split(size), strict=True)]


class ActNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(FEATS, 24, batch_first=True)
        self.out = nn.Linear(24, ACTS)

    def forward(self, x):
        return self.out(self.gru(x)[0])


def evaluate(model, batches):
    return count(model, batches, lambda there: torch.ones_like(there))


def evaluate2(model, batches):
    return count(model, batches, lambda there: there)


@torch.no_grad()
def count(model, batches, which):
    model.eval()
    right = turns = 0
    for batch in batches:
        there = batch["target"] >= 0
        guess = model(batch["input"]).argmax(-1).masked_fill(~there, -100)
        right += (guess == batch["target"])[which(there)].sum().item()
        turns += which(there).sum().item()
    return {"accuracy": right / turns}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(59)
    model = ActNet()
    return {
        "model": model,
        "train": batches(3000, 1, 50),
        "val": batches(400, 2, 100),
        "test": batches(400, 3, 100),
        "loss_fn": lambda s, t: F.cross_entropy(s.flatten(0, 1), t.flatten(), ignore_index=-100),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 6,
        "evaluate": evaluate2 if fixed else evaluate,
        "task": "seq2seq",
    }
