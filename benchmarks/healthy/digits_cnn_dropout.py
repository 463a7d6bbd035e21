"""LeNet-like network with dropout, RMSprop, an accuracy function and dictionary batches."""

from typing import Any

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, Dataset


class DigitDataset(Dataset):
    def __init__(self, images, labels):
        self.images = torch.tensor(images, dtype=torch.float32)[:, None] / 16 - 0.3
        self.labels = torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return {"input": self.images[index], "target": self.labels[index]}


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3), nn.ReLU(), nn.Conv2d(12, 24, 3), nn.ReLU(), nn.Dropout2d(0.1)
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(384, 48), nn.ReLU(), nn.Dropout(0.3), nn.Linear(48, 10))

    def forward(self, x):
        return self.classifier(self.features(x))


def evaluate(model, batches):
    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for batch in batches:
            pred = model(batch["input"]).argmax(1)
            correct += (pred == batch["target"]).sum().item()
            total += len(pred)
    model.train()
    return {"accuracy": correct / total}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    x, x_test, y, y_test = train_test_split(data.images, data.target, test_size=300, random_state=seed)
    x, x_val, y, y_val = train_test_split(x, y, test_size=300, random_state=seed + 1)
    model = LeNet()
    return {
        "model": model,
        "train": DataLoader(DigitDataset(x, y), batch_size=50, shuffle=True),
        "val": DataLoader(DigitDataset(x_val, y_val), batch_size=100),
        "test": DataLoader(DigitDataset(x_test, y_test), batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.RMSprop(model.parameters(), lr=1e-3),
        "epochs": 10,
        "evaluate": evaluate,
        "task": "classification",
    }
