"""Four sounds told apart from band energies; the rate rises linearly at the start."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SOUNDS, BANDS = 4, 20


def sounds(count, seed):
    shape = 0.7 * torch.randn(SOUNDS, BANDS, generator=torch.Generator().manual_seed(101))
    g = torch.Generator().manual_seed(seed)
    sound = torch.randint(SOUNDS, (count,), generator=g)
    loud = 0.5 + torch.rand(count, 1, generator=g)
    return TensorDataset(loud * shape[sound] + 0.6 * torch.randn(count, BANDS, generator=g), sound)


def build(fixed: bool = False) -> dict:
    torch.manual_seed(101)
    model = nn.Sequential(nn.Linear(BANDS, 48), nn.GELU(), nn.LayerNorm(48), nn.Linear(48, SOUNDS))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    ramp = 40 if fixed else 40_000
    g = torch.Generator().manual_seed(101)
    return {
        "model": model,
        "train": DataLoader(sounds(2000, 1), 40, shuffle=True, generator=g),
        "val": DataLoader(sounds(400, 2), 100),
        "test": DataLoader(sounds(400, 3), 100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: min(1.0, (i + 1) / ramp)),
        "scheduler_interval": "step",
        "epochs": 8,
        "task": "classification",
    }
