"""Total effect of doses over time with decay: a GRU reads the sequence, one number comes out."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def patients(count, generator):
    dose = torch.rand(count, 20, 1, generator=generator) * (torch.rand(count, 20, 1, generator=generator) < 0.4)
    effect = torch.zeros(count, 1)
    for t in range(20):
        effect = 0.85 * effect + dose[:, t]
    return dose, effect + 0.05 * torch.randn(count, 1, generator=generator)


class EffectNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(input_size=1, hidden_size=24, batch_first=True)
        self.readout = nn.Linear(24, 1)

    def forward(self, dose):
        _, last = self.gru(dose)
        return self.readout(last.squeeze(0))


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    squared = count = 0
    for dose, effect in batches:
        squared += (model(dose) - effect).square().sum().item()
        count += len(effect)
    return {"rmse": (squared / count) ** 0.5}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    train, val, test = patients(1000, gen), patients(250, gen), patients(250, gen)
    x_mean, x_std = train[0].mean(), train[0].std()
    y_mean, y_std = train[1].mean(), train[1].std()
    sets = [TensorDataset((x - x_mean) / x_std, (y - y_mean) / y_std) for x, y in (train, val, test)]
    model = EffectNet()
    return {
        "model": model,
        "train": DataLoader(sets[0], batch_size=25, shuffle=True),
        "val": DataLoader(sets[1], batch_size=250),
        "test": DataLoader(sets[2], batch_size=250),
        "loss_fn": nn.MSELoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 12,
        "evaluate": evaluate,
        "task": "regression",
    }
