"""Kiln output from ten settings; an averaged copy of the weights is kept alongside."""

import copy

import torch
from sklearn.datasets import make_friedman1
from torch import nn


class Trainer:
    def __init__(self, model):
        self.average = copy.deepcopy(model)

    def begin(self, model):
        self.average.zero_grad()

    def __call__(self, model, batch, loss_fn, optimizer):
        self.begin(model)
        loss = loss_fn(model(batch["input"]).squeeze(-1), batch["target"])
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for kept, live in zip(self.average.parameters(), model.parameters(), strict=True):
                kept.lerp_(live, 0.01)
        return loss.item()


class Trainer2(Trainer):
    def begin(self, model):
        model.zero_grad()


def batches(x, y, size):
    return [{"input": a, "target": b} for a, b in zip(x.split(size), y.split(size), strict=True)]


def build(fixed: bool = False) -> dict:
    torch.manual_seed(9)
    x, y = make_friedman1(1800, 10, noise=1.0, random_state=9)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    x = (x - x[:1200].mean(0)) / x[:1200].std(0)
    y = (y - y[:1200].mean()) / y[:1200].std()
    model = nn.Sequential(nn.Linear(10, 48), nn.SiLU(), nn.Linear(48, 24), nn.SiLU(), nn.Linear(24, 1))
    return {
        "model": model,
        "train": batches(x[:1200], y[:1200], 24),
        "val": batches(x[1200:1500], y[1200:1500], 100),
        "test": batches(x[1500:], y[1500:], 100),
        "loss_fn": nn.functional.mse_loss,
        "optimizer": torch.optim.Adam(model.parameters(), lr=0.003),
        "epochs": 10,
        "train_step": (Trainer2 if fixed else Trainer)(model),
        "predict": lambda m, x: m(x).squeeze(-1),
        "task": "regression",
    }
