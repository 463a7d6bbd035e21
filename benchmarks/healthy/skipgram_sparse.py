"""Skip-gram with sampled negatives: do two words belong together? Sparse embeddings with SparseAdam."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler, SequentialSampler

WORDS, TOPICS = 240, 4


class Pairs(Dataset):
    def __init__(self, centers, contexts, labels):
        self.centers, self.contexts, self.labels = centers, contexts, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, ids):
        return (self.centers[ids], self.contexts[ids]), self.labels[ids]


def sample_pairs(seed):
    """Ordered pairs, each at most once, half of them drawn inside a topic; 5 percent of the labels by chance."""
    rng = np.random.default_rng(seed)
    a, b = np.divmod(rng.permutation(WORDS * WORDS), WORDS)
    same = a % TOPICS == b % TOPICS
    chosen = np.concatenate([np.flatnonzero(same)[:14000], np.flatnonzero(~same)[:14000]])
    rng.shuffle(chosen)
    flip = rng.random(len(chosen)) < 0.05
    return torch.tensor(a[chosen]), torch.tensor(b[chosen]), torch.tensor(same[chosen] ^ flip).float()


class SkipGram(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.center = nn.Embedding(WORDS, dim, sparse=True)
        self.context = nn.Embedding(WORDS, dim, sparse=True)
        nn.init.normal_(self.center.weight, std=0.3)
        nn.init.normal_(self.context.weight, std=0.3)

    def forward(self, pair):
        return (self.center(pair[0]) * self.context(pair[1])).sum(-1)


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    columns = sample_pairs(seed)
    train, val, test = (
        Pairs(*(c[where] for c in columns)) for where in (slice(23000), slice(23000, 25500), slice(25500, None))
    )

    def loader(pairs, sampler):
        return DataLoader(pairs, sampler=BatchSampler(sampler, 128, drop_last=False), batch_size=None)

    model = SkipGram()
    return {
        "model": model,
        "train": loader(train, RandomSampler(train)),
        "val": loader(val, SequentialSampler(val)),
        "test": loader(test, SequentialSampler(test)),
        "loss_fn": nn.BCEWithLogitsLoss(),
        "optimizer": torch.optim.SparseAdam(model.parameters(), lr=0.01),
        "epochs": 7,
        "predict": lambda m, pair: m(pair),
        "task": "binary",
    }
