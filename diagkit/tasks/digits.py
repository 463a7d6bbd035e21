"""Digits: scikit-learn's 8x8 handwritten digits, a small convolutional network, accuracy."""

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn

from diagkit.examples import Examples, Splits
from diagkit.mistake import Mistake
from diagkit.score import Score

HIGHEST = 16.0  # ink of a pixel, 0 to 16


def load(train_size: int, val_size: int, test_size: int, seed: int) -> Splits:
    """Read the images, scale them by the training part's mean and spread, and split them by class.

    Returns:
        Splits with inputs `(examples, 1, 8, 8)` and class ids; another training size leaves the other parts alone.

    Raises:
        Mistake: more examples are asked for than there are.
    """
    images, labels = load_digits(return_X_y=True)
    room = len(images) - val_size - test_size
    if room < train_size:
        raise Mistake(
            f"data.train_size must be at most {room} beside {val_size} + {test_size} of {len(images)}, got {train_size}"
        )
    rows = np.arange(len(images))
    train, held_out = train_test_split(rows, test_size=val_size + test_size, stratify=labels, random_state=seed)
    val, test = train_test_split(held_out, test_size=test_size, stratify=labels[held_out], random_state=seed)
    pixels = images.reshape(-1, 1, 8, 8) / HIGHEST
    train = train[:train_size]
    scaled = (pixels - pixels[train].mean()) / pixels[train].std()

    def part(rows: NDArray[np.int64]) -> Examples:
        return Examples(torch.tensor(scaled[rows], dtype=torch.float32), torch.tensor(labels[rows]))

    return Splits(part(train), part(val), part(test), classes=tuple("0123456789"))


class DigitsNet(nn.Module):
    """Two convolutions as `encoder`, two linear layers as `head`."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(32 * width, 64), nn.ReLU(), nn.Dropout(dropout), nn.Linear(64, 10))

    def forward(self, images: Tensor) -> Tensor:
        """Return logits `(batch, 10)` for images `(batch, 1, 8, 8)`."""
        logits: Tensor = self.head(self.encoder(images))
        return logits


def network(splits: Splits, width: int, dropout: float) -> DigitsNet:
    """Build the network; `splits` is not needed, since every image has one size."""
    return DigitsNet(width, dropout)


def class_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross entropy, nats; ln(10) for a uniform guess."""
    return F.cross_entropy(logits, targets)


@torch.no_grad()
def accuracy(model: nn.Module, examples: Examples, splits: Splits) -> Score:
    """Classify all examples."""
    guesses = model(examples.inputs).argmax(1)
    hits = (guesses == examples.targets).double()
    return Score("accuracy", hits[:, None].tolist(), [splits.classes[guess] for guess in guesses.tolist()])
