"""One positive in six, told apart by a nonlinear rule; scored by F1."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import RobustScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FraudNet(nn.Module):
    def __init__(self, features=12):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(features, 32), nn.Linear(32, 16), nn.Linear(16, 1)

    def forward(self, x):
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x))))).squeeze(1)


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    logits, labels = zip(*[(model(x), y) for x, y in batches], strict=True)
    guess, labels = torch.cat(logits) > 0, torch.cat(labels) > 0.5
    both = (guess & labels).sum().item()
    return {"f1": 2 * both / (guess.sum() + labels.sum()).item()}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_classification(
        3600, 12, n_informative=6, weights=[5 / 6], class_sep=1.5, flip_y=0.01, random_state=seed
    )
    x, x_test, y, y_test = train_test_split(x, y, test_size=600, stratify=y, random_state=seed)
    x, x_val, y, y_val = train_test_split(x, y, test_size=600, stratify=y, random_state=seed)
    scaler = RobustScaler().fit(x)

    def tensors(a, b):
        return TensorDataset(torch.tensor(scaler.transform(a)).float(), torch.tensor(b).float())

    model = FraudNet()
    return {
        "model": model,
        "train": DataLoader(tensors(x, y), batch_size=64, shuffle=True),
        "val": DataLoader(tensors(x_val, y_val), batch_size=200),
        "test": DataLoader(tensors(x_test, y_test), batch_size=200),
        "loss_fn": F.binary_cross_entropy_with_logits,
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4),
        "epochs": 15,
        "evaluate": evaluate,
        "task": "binary",
    }
