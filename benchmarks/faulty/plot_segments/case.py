"""Segments a strip of field cells into three kinds of ground."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS, LENGTH, BANDS = 3, 30, 4


def strips(count, seed):
    tint = 1.2 * torch.randn(KINDS, BANDS, generator=torch.Generator().manual_seed(58))
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(KINDS, (count, LENGTH // 5), generator=g).repeat_interleave(5, 1)
    return TensorDataset((tint[kind] + torch.randn(count, LENGTH, BANDS, generator=g)).transpose(1, 2), kind)


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(BANDS, 24, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(24, 24, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(24, KINDS, 1),
        )

    def forward(self, x):
        return self.net(x).transpose(1, 2)


def loss_fn(ignored):
    return lambda scores, kind: F.cross_entropy(scores.flatten(0, 1), kind.flatten(), ignore_index=ignored)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(37)
    model = Segmenter()
    g = torch.Generator().manual_seed(37)
    return {
        "model": model,
        "train": DataLoader(strips(900, 1), 30, shuffle=True, generator=g),
        "val": DataLoader(strips(200, 2), 50),
        "test": DataLoader(strips(200, 3), 50),
        "loss_fn": loss_fn(-100 if fixed else 0),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 8,
        "task": "classification",
    }
