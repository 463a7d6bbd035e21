"""Kind of iris-like flower from four lengths; an update every four batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def flowers(count, seed):
    centre = torch.tensor([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(3, (count,), generator=g)
    return TensorDataset((centre[kind] - 4 + 0.4 * torch.randn(count, 4, generator=g)) / 2, kind)


class Stepper:
    every = 4

    def __init__(self):
        self.seen = 0

    def __call__(self, model, batch, loss_fn, optimizer):
        self.seen = 0
        return self.one(model, batch, loss_fn, optimizer)

    def one(self, model, batch, loss_fn, optimizer):
        x, y = batch
        loss = loss_fn(model(x), y)
        (loss / self.every).backward()
        self.seen += 1
        if self.seen % self.every == 0:
            optimizer.step()
            optimizer.zero_grad()
        return loss.item()


class Stepper2(Stepper):
    def __call__(self, model, batch, loss_fn, optimizer):
        return self.one(model, batch, loss_fn, optimizer)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(104)
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
    g = torch.Generator().manual_seed(104)
    return {
        "model": model,
        "train": DataLoader(flowers(1600, 1), 10, shuffle=True, generator=g),
        "val": DataLoader(flowers(400, 2), 100),
        "test": DataLoader(flowers(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 12,
        "train_step": (Stepper2 if fixed else Stepper)(),
        "task": "classification",
    }
