"""Tag of every token from the token and its left neighbour."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TOKENS, TAGS, LENGTH = 40, 5, 20


def rows(count, seed):
    base = torch.Generator().manual_seed(106)
    tag = torch.randint(TAGS, (TOKENS,), generator=base)
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(TOKENS, (count, LENGTH), generator=g)
    left = F.pad(ids, (1, 0))[:, :-1]
    return TensorDataset(ids, (tag[ids] + (tag[left] == 0).long()) % TAGS)


class TagNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(TOKENS, 24)
        self.mix = nn.Linear(48, 48)
        self.out = nn.Linear(48, TAGS)

    def forward(self, ids):
        x = self.tokens(ids)
        left = F.pad(x, (0, 0, 1, 0))[:, :-1]
        return self.out(torch.relu(self.mix(torch.cat([x, left], -1))))


def token_loss(scores, tags):
    per_token = F.cross_entropy(scores.transpose(1, 2), tags, reduction="none")
    return per_token.sum(1).mean()


def token_loss2(scores, tags):
    per_token = F.cross_entropy(scores.transpose(1, 2), tags, reduction="none")
    return per_token.mean(1).mean()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(106)
    model = TagNet()
    g = torch.Generator().manual_seed(106)
    return {
        "model": model,
        "train": DataLoader(rows(1200, 1), 24, shuffle=True, generator=g),
        "val": DataLoader(rows(240, 2), 24),
        "test": DataLoader(rows(240, 3), 24),
        "loss_fn": token_loss2 if fixed else token_loss,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.15, momentum=0.9),
        "epochs": 10,
        "task": "seq2seq",
    }
