"""Clinic scores from 40 noisy measurements; the training step peeks at a held-out loss now and then."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def clinic(count, seed):
    w = torch.randn(40, generator=torch.Generator().manual_seed(41)) / 40**0.5
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 40, generator=g)
    return x, (x @ w * 2.5 + 1.5 * torch.randn(count, generator=g) > 0).float()


class Stepper:
    def __init__(self, peek, back):
        self.peek, self.back, self.seen = peek, back, 0

    def __call__(self, model, batch, loss_fn, optimizer):
        if self.seen % 10 == 0:
            model.eval()
            with torch.no_grad():
                self.held_out = loss_fn(model(self.peek[0]), self.peek[1]).item()
            if self.back:
                model.train()
        self.seen += 1
        optimizer.zero_grad()
        loss = loss_fn(model(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
        return loss.item()


def build(fixed: bool = False) -> dict:
    torch.manual_seed(41)
    model = nn.Sequential(
        nn.Dropout(0.3), nn.Linear(40, 128), nn.ReLU(), nn.Dropout(0.7), nn.Linear(128, 1), nn.Flatten(0)
    )
    train, val, test = clinic(800, 1), clinic(500, 2), clinic(500, 3)
    g = torch.Generator().manual_seed(41)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(*train), 20, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(*val), 100),
        "test": DataLoader(TensorDataset(*test), 100),
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 15,
        "train_step": Stepper([t[:100] for t in val], fixed),
        "task": "binary",
    }
