"""Examples of a split, as tensors for the model and as rows for a reader."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

Batch = tuple[Tensor | tuple[Tensor, ...], Tensor]
Pipeline = tuple[Callable[[Any, Any], Any], Any, Any, int]  # X, y -> (X, y); raw X; raw y; first row after training


@dataclass(frozen=True)
class Examples:
    """One split. All tensors share their first axis, the examples.

    Attributes:
        inputs: `(examples, ...)`, floats, or token ids padded at the end.
        targets: `(examples,)` class ids or values, or `(examples, length)` token ids padded at the end.
        prompts: `(examples, length)`, what a decoder is given while it is taught: the targets one step late.
        texts: input and target of every example as a person reads them; empty where there is nothing to read.
        pad: the id that fills token sequences up; None for other data.
    """

    inputs: Tensor
    targets: Tensor
    prompts: Tensor | None = None
    texts: tuple[tuple[str, str], ...] = ()
    pad: int | None = None

    def __len__(self) -> int:
        return len(self.targets)

    def lengths(self) -> Tensor:
        """Return `(examples,)`, the ids of input and target together; ones without padding."""
        if self.pad is None:
            return torch.ones(len(self), dtype=torch.long)
        return (self.inputs != self.pad).sum(1) + (self.targets != self.pad).sum(1)

    def take(self, rows: Tensor) -> "Examples":
        """Return the examples at `rows`, a tensor of indices."""
        texts = tuple(self.texts[row] for row in rows.tolist()) if self.texts else ()
        prompts = None if self.prompts is None else self.prompts[rows]
        return replace(self, inputs=self.inputs[rows], targets=self.targets[rows], prompts=prompts, texts=texts)

    def first(self, count: int) -> "Examples":
        """Return the first examples, all where there are fewer."""
        return self.take(torch.arange(min(count, len(self))))

    def followed_by(self, other: "Examples") -> "Examples":
        """Return these examples and then the other ones; sequences are padded to one length."""
        prompts = None if self.prompts is None or other.prompts is None else self._joined(self.prompts, other.prompts)
        return replace(
            self,
            inputs=self._joined(self.inputs, other.inputs),
            targets=self._joined(self.targets, other.targets),
            prompts=prompts,
            texts=self.texts + other.texts,
        )

    def _joined(self, mine: Tensor, its: Tensor) -> Tensor:
        if self.pad is not None and mine.dim() == 2:
            width = max(mine.shape[1], its.shape[1])
            mine, its = (F.pad(part, (0, width - part.shape[1]), value=self.pad) for part in (mine, its))
        return torch.cat([mine, its])

    def to(self, device: str) -> "Examples":
        """Move the tensors to a device."""
        prompts = None if self.prompts is None else self.prompts.to(device)
        return replace(self, inputs=self.inputs.to(device), targets=self.targets.to(device), prompts=prompts)

    def with_targets(self, rows: Tensor) -> "Examples":
        """Give every example the target side of the example at `rows`; the inputs stay."""
        other = self.take(rows)
        texts = tuple((mine[0], its[1]) for mine, its in zip(self.texts, other.texts, strict=True))
        return replace(self, targets=other.targets, prompts=other.prompts, texts=texts)

    def with_sides_exchanged(self, rows: Tensor) -> "Examples":
        """Exchange source and target of the examples at `rows`, which are pairs of token sequences.

        The sign that ends every target, and the one that begins every prompt, stay where they are.
        """
        assert self.prompts is not None and self.pad is not None
        last = (self.targets != self.pad).sum(1, keepdim=True) - 1
        end = self.targets.gather(1, last)
        length = (self.inputs != self.pad).sum(1, keepdim=True)
        turned = replace(
            self,
            inputs=self.targets.scatter(1, last, self.pad),
            targets=F.pad(self.inputs, (0, 1), value=self.pad).scatter(1, length, end),
            prompts=torch.cat([self.prompts[:, :1], self.inputs], dim=1),
            texts=tuple((target, source) for source, target in self.texts),
        )
        places = torch.arange(len(self))
        places[rows] += len(self)
        return self.followed_by(turned).take(places)

    def batch(self, rows: Tensor) -> Batch:
        """Return what `model(*inputs)` and `loss(outputs, targets)` take, cut to the longest sequence in it."""
        inputs, targets = self._cut(self.inputs[rows]), self._cut(self.targets[rows])
        if self.prompts is None:
            return inputs, targets
        return (inputs, self.prompts[rows, : targets.shape[1]]), targets

    def _cut(self, ids: Tensor) -> Tensor:
        if self.pad is None or ids.dim() < 2:
            return ids
        used = (ids != self.pad).any(0).nonzero()
        return ids[:, : int(used[-1]) + 1] if len(used) else ids[:, :1]

    def fingerprints(self) -> list[str]:
        """Return one string per example that is equal exactly for equal inputs: its text, or a hash of its values."""
        if self.texts:
            return [source for source, _ in self.texts]
        return [hashlib.sha256(row.contiguous().numpy().tobytes()).hexdigest()[:16] for row in self.inputs.cpu()]


@dataclass(frozen=True)
class Splits:
    """The three parts of a recipe's data, and what was left out while reading it."""

    train: Examples
    val: Examples
    test: Examples
    notes: tuple[str, ...] = ()  # e.g. "3 empty rows left out"
    vocabulary: tuple[str, ...] = ()  # word of every token id; empty where there are none
    classes: tuple[str, ...] = ()  # name of every class id; empty where there are none
    pipeline: Pipeline | None = None  # what made the examples of raw rows, for the leak tracer
    scale: tuple[float, float] = (0.0, 1.0)  # mean and spread that targets were scaled with, in their unit
    input_scale: tuple[float, float] = (0.0, 1.0)  # mean and spread that inputs still have in the unit of the targets

    def to(self, device: str) -> "Splits":
        """Move all tensors to a device."""
        return replace(self, train=self.train.to(device), val=self.val.to(device), test=self.test.to(device))

    def name_of(self, target: float) -> str:
        """Return a target as a person reads it."""
        return self.classes[int(target)] if self.classes else f"{target:g}"


@dataclass(frozen=True)
class Batches:
    """Examples cut into batches: iterate as often as needed, the order is always the same.

    Attributes:
        by_length: whether a batch holds examples of similar length, or those that stand together, padded.
    """

    examples: Examples
    size: int
    by_length: bool = True

    def rows(self) -> list[Tensor]:
        """Return the indices of every batch."""
        if not self.by_length:
            return list(torch.arange(len(self.examples)).split(self.size))
        return list(torch.argsort(self.examples.lengths(), stable=True).split(self.size))

    def __len__(self) -> int:
        return -(-len(self.examples) // self.size)

    def __iter__(self) -> Iterator[Batch]:
        return (self.examples.batch(rows) for rows in self.rows())


def epoch(examples: Examples, lengths: Tensor, size: int, generator: torch.Generator) -> list[Tensor]:
    """Return the rows of every batch of one shuffled epoch.

    Lengths between two powers of two stay together: less padding, and yet no batch of one length alone, whose gradient
    is biased towards it. Such batches are faster and leave some seeds of `translation` unhealthy.

    Args:
        examples: the training split.
        lengths: `(examples,)` from `examples.lengths()`, computed once.
        size: examples per batch.
        generator: draws the order.
    """
    order = torch.randperm(len(examples), generator=generator)
    group = lengths[order].log2().floor()
    batches = order[torch.argsort(group, stable=True)].split(size)
    return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
