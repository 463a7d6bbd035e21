"""A student learns the teacher's soft probabilities (ten per image) with the Kullback-Leibler divergence."""

from typing import Any

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def distillation(logits, probabilities):
    return F.kl_div(F.log_softmax(logits, dim=-1), probabilities, reduction="batchmean")


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    data = load_digits()
    order = torch.randperm(1797).numpy()
    x, y = data.data[order] / 16 - 0.3, data.target[order]
    teacher = LogisticRegression(C=0.03, max_iter=300).fit(x[:400], y[:400])
    soft = torch.tensor(teacher.predict_proba(x), dtype=torch.float32)
    x = torch.tensor(x, dtype=torch.float32)
    student = nn.Sequential(nn.Linear(64, 20), nn.ReLU(), nn.Linear(20, 10))
    return {
        "model": student,
        "train": DataLoader(TensorDataset(x[:1300], soft[:1300]), batch_size=32, shuffle=True),
        "val": DataLoader(TensorDataset(x[1300:1550], soft[1300:1550]), batch_size=250),
        "test": DataLoader(TensorDataset(x[1550:], soft[1550:]), batch_size=250),
        "loss_fn": distillation,
        "optimizer": torch.optim.Adam(student.parameters(), lr=3e-3),
        "epochs": 15,
        "task": "regression",
    }
