"""Variational autoencoder on digits; the outputs are the pixel logits, the mean and the log-variance."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, latent=6, hidden=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, hidden), nn.Tanh())
        self.mu, self.logvar = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, 64))

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.decoder(z), mu, logvar


def elbo_loss(outputs, images):
    logits, mu, logvar = outputs
    reconstruction = F.binary_cross_entropy_with_logits(logits, images, reduction="none").sum(1)
    divergence = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)
    return (reconstruction + divergence).mean()


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    pixels = torch.from_numpy(load_digits().data).float() / 16.0
    pixels = pixels[torch.randperm(len(pixels), generator=torch.Generator().manual_seed(seed))]
    train, val, test = pixels[:1297], pixels[1297:1547], pixels[1547:]
    vae = VAE()
    return {
        "model": vae,
        "train": DataLoader(TensorDataset(train, train), batch_size=64, shuffle=True),
        "val": DataLoader(TensorDataset(val, val), batch_size=128),
        "test": DataLoader(TensorDataset(test, test), batch_size=128),
        "loss_fn": elbo_loss,
        "optimizer": torch.optim.Adam(vae.parameters(), lr=4e-3),
        "epochs": 30,
        "task": "regression",
    }
