"""Which of four signals opened the sequence? An LSTM cell stepped by hand."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIGNALS, STEPS, WIDTH = 4, 12, 32


def sequences(count, seed):
    g = torch.Generator().manual_seed(seed)
    first = torch.randint(SIGNALS, (count,), generator=g)
    noise = 0.3 * torch.randn(count, STEPS, SIGNALS + 1, generator=g)
    noise[:, 0, :SIGNALS] += 2.5 * F.one_hot(first, SIGNALS)
    noise[:, 0, SIGNALS] += 2.0
    return TensorDataset(noise, first)


class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(SIGNALS + 1, WIDTH)
        self.out = nn.Linear(WIDTH, SIGNALS)

    def keep(self, state):
        return tuple(s.detach() for s in state)

    def forward(self, x):
        state = (x.new_zeros(len(x), WIDTH), x.new_zeros(len(x), WIDTH))
        for t in range(x.shape[1]):
            state = self.cell(x[:, t], self.keep(state))
        return self.out(state[0])


class Listener2(Listener):
    def keep(self, state):
        return state


def build(fixed: bool = False) -> dict:
    torch.manual_seed(6)
    model = Listener2() if fixed else Listener()
    g = torch.Generator().manual_seed(6)
    return {
        "model": model,
        "train": DataLoader(sequences(1600, 1), 64, shuffle=True, generator=g),
        "val": DataLoader(sequences(400, 2), 100),
        "test": DataLoader(sequences(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=5e-3),
        "epochs": 14,
        "task": "classification",
    }
