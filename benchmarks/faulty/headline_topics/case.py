"""Topic of a headline: every state sees the words to its left; all headlines begin with a start token."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, TOPICS, LENGTH, START = 100, 5, 9, 0


def headlines(count, seed):
    lean = 1.4 * torch.randn(TOPICS, WORDS, generator=torch.Generator().manual_seed(130))
    lean[:, START] = float("-inf")
    g = torch.Generator().manual_seed(seed)
    topic = torch.randint(TOPICS, (count,), generator=g)
    ids = torch.multinomial(lean.softmax(1)[topic], LENGTH, replacement=True, generator=g)
    return TensorDataset(F.pad(ids, (1, 0), value=START), topic)


class Topic(nn.Module):
    def __init__(self, spot):
        super().__init__()
        self.spot = spot
        self.words = nn.Embedding(WORDS, 24)
        self.gru = nn.GRU(24, 32, batch_first=True)
        self.out = nn.Linear(32, TOPICS)

    def forward(self, ids):
        return self.out(self.gru(self.words(ids))[0][:, self.spot])


def build(fixed: bool = False) -> dict:
    torch.manual_seed(130)
    model = Topic(-1 if fixed else 0)
    g = torch.Generator().manual_seed(130)
    return {
        "model": model,
        "train": DataLoader(headlines(3000, 1), 50, shuffle=True, generator=g),
        "val": DataLoader(headlines(400, 2), 100),
        "test": DataLoader(headlines(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=3e-3),
        "epochs": 5,
        "task": "classification",
    }
