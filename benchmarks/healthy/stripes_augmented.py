"""Direction of noisy stripes; the training Dataset flips the image and adds noise, val and test do not."""

from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def stripes(count, gen):
    """Four kinds: horizontal, vertical, chequered, and a bright frame; the flip keeps the kind."""
    kind = torch.randint(4, (count,), generator=gen)
    t = torch.arange(12)
    phase = torch.rand(count, 2, 1, 1, generator=gen) * 6.28
    rows, cols = torch.sin(t[:, None] * 1.3 + phase[:, 0]), torch.sin(t[None] * 1.3 + phase[:, 1])
    frame = ((t[:, None] % 11 == 0) | (t[None] % 11 == 0)).float() * 2 - 0.6
    images = torch.stack(
        [rows.expand(-1, -1, 12), cols.expand(-1, 12, -1), rows * cols * 1.5, frame.expand(count, -1, -1)]
    )
    noise = 0.7 * torch.randn(count, 12, 12, generator=gen)
    return (images[kind, torch.arange(count)] + noise)[:, None], kind


class Augmented(Dataset):
    def __init__(self, images, labels, augment):
        self.images, self.labels, self.augment = images, labels, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        if self.augment:
            if torch.rand(()) < 0.5:
                image = image.flip(-1)
            image = image + 0.2 * torch.randn_like(image)
        return image, self.labels[i]


def build(seed: int = 0) -> dict[str, Any]:
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    train, val, test = (Augmented(*stripes(n, gen), augment=n == 1200) for n in (1200, 300, 300))
    model = nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(12, 16, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(3),
        nn.Flatten(),
        nn.Linear(144, 4),
    )
    return {
        "model": model,
        "train": DataLoader(train, batch_size=40, shuffle=True),
        "val": DataLoader(val, batch_size=100),
        "test": DataLoader(test, batch_size=100),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=2e-3),
        "epochs": 10,
        "task": "classification",
    }
