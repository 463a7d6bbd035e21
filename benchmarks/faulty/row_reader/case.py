"""Reads a scanned digit row by row with a GRU."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RowReader(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.gru = nn.GRU(8, width, batch_first=True)
        self.out = nn.Linear(width, 10)

    def forward(self, rows):
        states, _ = self.gru(rows)
        return self.out(states.mean(1))


def step_a(model, batch, loss_fn, optimizer):
    rows, digit = batch
    loss = loss_fn(model(rows), digit)
    loss.backward()
    optimizer.step()
    return loss.item()


def step_b(model, batch, loss_fn, optimizer):
    optimizer.zero_grad(set_to_none=True)
    return step_a(model, batch, loss_fn, optimizer)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(4)
    data = load_digits()
    x, y = torch.tensor(data.images, dtype=torch.float32), torch.tensor(data.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(4))
    x, y = x[order], y[order]
    x = (x - x[:1100].mean()) / x[:1100].std()
    model = RowReader()
    g = torch.Generator().manual_seed(5)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:1100], y[:1100]), 32, shuffle=True, generator=g),
        "val": DataLoader(TensorDataset(x[1100:1450], y[1100:1450]), 64),
        "test": DataLoader(TensorDataset(x[1450:], y[1450:]), 64),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9),
        "epochs": 12,
        "train_step": step_b if fixed else step_a,
        "task": "classification",
    }
