"""Vision transformer on digits: conv stem, 2x2 patches, class token, learned positions, warm-up and decay."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


class TinyViT(nn.Module):
    def __init__(self, dim=32, depth=1, heads=4, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, kernel_size=3, padding=1), nn.GELU())
        self.patch = nn.Conv2d(8, dim, kernel_size=2, stride=2)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, 17, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(
            dim, heads, 64, dropout=0.1, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, depth, nn.LayerNorm(dim), enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patch(self.stem(x)).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.cls_token.expand(len(x), -1, -1), tokens], dim=1) + self.pos_embed
        return self.head(self.encoder(tokens)[:, 0])


def parameter_groups(model, weight_decay):
    decay = [p for p in model.parameters() if p.ndim == 2 or p.ndim == 4]
    rest = [p for p in model.parameters() if not (p.ndim == 2 or p.ndim == 4)]
    return [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32)[:, None] / 8 - 1, torch.tensor(data.target)
    train, rest = train_test_split(range(1797), test_size=0.25, stratify=data.target, random_state=seed)
    val, test = rest[:225], rest[225:]
    loader = DataLoader(TensorDataset(x[train], y[train]), batch_size=32, shuffle=True)
    model = TinyViT()
    optimizer = torch.optim.AdamW(parameter_groups(model, 0.05), lr=3e-3)
    epochs = 12
    total, warmup = epochs * len(loader), 2 * len(loader)
    scheduler = LambdaLR(optimizer, lambda s: min((s + 1) / warmup, max(0.0, (total - s) / (total - warmup))))
    return {
        "model": model,
        "train": loader,
        "val": DataLoader(TensorDataset(x[val], y[val]), batch_size=225),
        "test": DataLoader(TensorDataset(x[test], y[test]), batch_size=225),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": scheduler,
        "scheduler_interval": "step",
        "epochs": epochs,
        "task": "classification",
    }
