"""Which of four motions does a recording of varying length show? LSTM over packed sequences."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Motions(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.items = []
        for _ in range(count):
            kind, length = int(rng.integers(4)), int(rng.integers(10, 25))
            t = np.arange(length) * (0.4 + 0.35 * kind) + rng.uniform(0, 2 * np.pi)
            signal = np.stack([np.sin(t), np.cos(t), np.zeros(length)], 1)
            signal = signal + rng.normal(0, 0.4, (length, 3))
            self.items.append((torch.tensor(signal, dtype=torch.float32), kind))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    signals, kinds = zip(*items, strict=True)
    lengths = torch.tensor([len(s) for s in signals])
    return (pad_sequence(list(signals), batch_first=True), lengths), torch.tensor(kinds)


class MotionNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 4)

    def forward(self, signal, lengths):
        packed = pack_padded_sequence(signal, lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.out(h[-1])


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    model = MotionNet()
    base = 1000 * seed
    return {
        "model": model,
        "train": DataLoader(Motions(1000, base + 1), batch_size=32, shuffle=True, collate_fn=collate),
        "val": DataLoader(Motions(300, base + 2), batch_size=100, collate_fn=collate),
        "test": DataLoader(Motions(300, base + 3), batch_size=100, collate_fn=collate),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=8e-3),
        "epochs": 10,
        "predict": lambda m, inp: m(*inp),
        "task": "classification",
    }
