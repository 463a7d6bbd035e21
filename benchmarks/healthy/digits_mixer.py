"""MLP-mixer on digit rows: tokens and channels are mixed in turn; gradient checkpointing, two rates."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tokens = nn.Sequential(nn.Linear(tokens, 16), nn.GELU(), nn.Linear(16, tokens))
        self.channels = nn.Sequential(nn.Linear(dim, 48), nn.GELU(), nn.Linear(48, dim))

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.stem = nn.Linear(8, dim)
        self.blocks = nn.ModuleList(MixerBlock(8, dim) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, 10)

    def forward(self, rows):
        x = self.stem(rows)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return self.head(self.norm(x).mean(1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    order = torch.randperm(1797)
    x, y = torch.tensor(data.images, dtype=torch.float32)[order], torch.tensor(data.target)[order]
    x = (x - x[:1300].mean()) / x[:1300].std()
    model = Mixer()
    groups = [
        {"params": model.head.parameters(), "lr": 4e-3},
        {"params": [p for n, p in model.named_parameters() if not n.startswith("head")], "lr": 2e-3},
    ]
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1300], y[:1300]), batch_size=32, shuffle=True),
        "val": DataLoader(TensorDataset(x[1300:1550], y[1300:1550]), batch_size=250),
        "test": DataLoader(TensorDataset(x[1550:], y[1550:]), batch_size=250),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.AdamW(groups, weight_decay=0.05),
        "epochs": 8,
        "task": "classification",
    }
