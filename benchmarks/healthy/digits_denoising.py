"""Denoising convolutional autoencoder: fresh noise for training, fixed noise for val and test."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class NoisyDigits(Dataset):
    def __init__(self, clean, sigma):
        self.clean, self.sigma = clean, sigma

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        return self.clean[i] + self.sigma * torch.randn_like(self.clean[i]), self.clean[i]


class Denoiser(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.middle = nn.Sequential(nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.out = nn.Conv2d(width + 1, 1, 3, padding=1)

    def forward(self, x):
        y = torch.relu(self.up(self.middle(self.down(x))))
        return self.out(torch.cat([x, y], dim=1))


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    clean = torch.tensor(load_digits().images, dtype=torch.float32)[torch.randperm(1797), None]
    clean = (clean - clean[:1300].mean()) / clean[:1300].std()
    noisy = clean + 0.5 * torch.randn(clean.shape)
    model = Denoiser()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    return {
        "model": model,
        "train": DataLoader(NoisyDigits(clean[:1300], 0.5), batch_size=50, shuffle=True),
        "val": DataLoader(TensorDataset(noisy[1300:1550], clean[1300:1550]), batch_size=125),
        "test": DataLoader(TensorDataset(noisy[1550:], clean[1550:]), batch_size=125),
        "loss_fn": nn.functional.mse_loss,
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[8, 11], gamma=0.3),
        "scheduler_interval": "epoch",
        "epochs": 12,
        "task": "regression",
    }
