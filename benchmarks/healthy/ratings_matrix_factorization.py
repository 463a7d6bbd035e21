"""Film ratings from user and item vectors plus biases; every (user, film) pair occurs once."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USERS, FILMS = 120, 80


def ratings(seed):
    rng = np.random.default_rng(seed)
    taste, style = rng.normal(size=(USERS, 3)), rng.normal(size=(FILMS, 3))
    score = 3.2 + 0.4 * rng.normal(size=(USERS, 1)) + 0.4 * rng.normal(size=FILMS)
    score = score + 0.5 * taste @ style.T + rng.normal(0, 0.3, (USERS, FILMS))
    pick = rng.permutation(USERS * FILMS)[:9000]
    return pick // FILMS, pick % FILMS, score.clip(0.5, 5).flatten()[pick]


class MatrixFactorization(nn.Module):
    def __init__(self, mean, dim=3):
        super().__init__()
        self.user, self.film = nn.Embedding(USERS, dim), nn.Embedding(FILMS, dim)
        self.user_bias, self.film_bias = nn.Embedding(USERS, 1), nn.Embedding(FILMS, 1)
        for table in (self.user, self.film):
            nn.init.normal_(table.weight, std=0.1)
        for table in (self.user_bias, self.film_bias):
            nn.init.zeros_(table.weight)
        self.mean = nn.Parameter(torch.tensor(mean))

    def forward(self, users, films):
        match = (self.user(users) * self.film(films)).sum(-1)
        return match + self.user_bias(users)[:, 0] + self.film_bias(films)[:, 0] + self.mean


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    users, films, stars = ratings(seed)
    users, films = torch.from_numpy(users), torch.from_numpy(films)
    stars = torch.from_numpy(stars).float()

    def collate(rows):
        u, f, s = (torch.stack(c) for c in zip(*rows, strict=True))
        return {"input": (u, f), "target": s}

    def loader(part, **kwargs):
        return DataLoader(TensorDataset(users[part], films[part], stars[part]), collate_fn=collate, **kwargs)

    model = MatrixFactorization(stars[:7000].mean().item())
    return {
        "model": model,
        "train": loader(slice(0, 7000), batch_size=100, shuffle=True),
        "val": loader(slice(7000, 8000), batch_size=250),
        "test": loader(slice(8000, 9000), batch_size=250),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1),
        "epochs": 10,
        "predict": lambda m, pair: m(*pair),
        "task": "regression",
    }
