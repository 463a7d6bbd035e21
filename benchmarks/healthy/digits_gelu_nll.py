"""Digits with GELU units, log-softmax output and NLLLoss; the rate falls in steps."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    def __init__(self, images, labels, mean, std):
        self.images, self.labels = (images - mean) / std, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.tensor(self.images[i], dtype=torch.float32), int(self.labels[i])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 48)
        self.out = nn.Linear(48, 10)

    def forward(self, x):
        return F.log_softmax(self.out(F.gelu(self.hidden(x.flatten(1)))), dim=1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    order = torch.randperm(len(data.target)).numpy()
    cut = order[:1257], order[1257:1527], order[1527:]
    mean, std = data.images[cut[0]].mean(), data.images[cut[0]].std()
    train, val, test = (Digits(data.images[part], data.target[part], mean, std) for part in cut)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    return {
        "model": net,
        "train": DataLoader(train, batch_size=64, shuffle=True),
        "val": DataLoader(val, batch_size=270),
        "test": DataLoader(test, batch_size=270),
        "loss_fn": F.nll_loss,
        "optimizer": optimizer,
        "scheduler": StepLR(optimizer, step_size=5, gamma=0.3),
        "scheduler_interval": "epoch",
        "epochs": 12,
        "task": "classification",
    }
