"""Read digit images row by row with a plain tanh RNN; own training step and evaluation set the modes."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RowRNN(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.rnn = nn.RNN(8, hidden, nonlinearity="tanh")
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(hidden, 10)

    def forward(self, images):
        states, _ = self.rnn(images.permute(1, 0, 2))
        return self.fc(self.drop(states[-1]))


def train_step(model, batch, loss_fn, optimizer):
    model.train()
    images, labels = batch
    loss = loss_fn(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    return loss.item()


def evaluate(model, batches):
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        scored = [(model(images), labels) for images, labels in batches]
    model.train(was_training)
    logits, labels = (torch.cat(column) for column in zip(*scored, strict=True))
    return {
        "loss": F.cross_entropy(logits, labels).item(),
        "accuracy": (logits.argmax(1) == labels).float().mean().item(),
    }


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    order = torch.randperm(1797)
    images, labels = torch.tensor(data.images)[order].float(), torch.tensor(data.target)[order]
    images = (images - images[:1300].mean()) / images[:1300].std()
    model = RowRNN()
    return {
        "model": model,
        "train": DataLoader(TensorDataset(images[:1300], labels[:1300]), batch_size=32, shuffle=True),
        "val": DataLoader(TensorDataset(images[1300:1550], labels[1300:1550]), batch_size=60),
        "test": DataLoader(TensorDataset(images[1550:], labels[1550:]), batch_size=60),
        "loss_fn": F.cross_entropy,
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 15,
        "train_step": train_step,
        "evaluate": evaluate,
        "task": "classification",
    }
