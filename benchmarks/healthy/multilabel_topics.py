"""Several topics per document: one logit per topic, BCEWithLogitsLoss over five labels."""

from typing import Any

import torch
from sklearn.datasets import make_multilabel_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TopicNet(nn.Module):
    def __init__(self, words=20, topics=5):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(words, 24), nn.Linear(24, topics)])
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.layers[1](self.drop(nn.functional.leaky_relu(self.layers[0](x))))


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    hits = possible = guessed = 0
    for counts, topics in batches:
        guess = model(counts) > 0
        hits += (guess & topics.bool()).sum().item()
        possible += topics.sum().item()
        guessed += guess.sum().item()
    return {"micro_f1": 2 * hits / (possible + guessed)}


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    x, y = make_multilabel_classification(2400, n_features=20, n_classes=5, n_labels=2, random_state=seed)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    x = (x - x[:1800].mean(0)) / x[:1800].std(0)
    loaders = {}
    for name, lo, hi in (("train", 0, 1800), ("val", 1800, 2100), ("test", 2100, 2400)):
        loaders[name] = DataLoader(TensorDataset(x[lo:hi], y[lo:hi]), batch_size=60, shuffle=name == "train")
    model = TopicNet()
    return {
        "model": model,
        **loaders,
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=4e-3),
        "epochs": 15,
        "evaluate": evaluate,
        "task": "binary",
    }
