"""Watch a training while it runs: gradient norms and update-to-data ratios, every so many optimizer steps.

    with diagkit.watch.watch(model, optimizer) as record:
        ...  # the training
    print(record.steps, record.norms, record.ratios["head.weight"])

Steps in between cost two empty calls. Hooks of the optimizer do the work, so any loop can be watched.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

EVERY = 50  # steps; costs at most 3 % of a step on average, see benchmarks/watch.py


@dataclass
class Record:
    """What was seen, at the watched steps.

    Attributes:
        steps: number of each watched optimizer step, from 1.
        norms: norm of the whole gradient, as the optimizer is given it.
        ratios: by matrix, log10 of std(update) / std(weight); NaN where either is 0. Near -3 is usual.
    """

    steps: list[int] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    ratios: dict[str, list[float]] = field(default_factory=dict)


@contextmanager
def watch(model: nn.Module, optimizer: torch.optim.Optimizer, every: int = EVERY) -> Iterator[Record]:
    """Record the first and then every `every`-th step that the optimizer takes inside of the block.

    Raises:
        ValueError: `every` is not positive.
    """
    if every < 1:
        raise ValueError(f"every must be at least 1 step, got {every}")
    matrices = {name: p for name, p in model.named_parameters() if p.requires_grad and p.dim() > 1}
    parameters = [p for p in model.parameters() if p.requires_grad]
    record = Record(ratios={name: [] for name in matrices})
    taken = 0
    before: list[Tensor] = []

    def look(*_: Any) -> None:
        nonlocal taken
        if taken % every == 0:
            record.steps.append(taken + 1)
            record.norms.append(_norm([p.grad for p in parameters if p.grad is not None]))
            before.extend(p.detach().clone() for p in matrices.values())
        taken += 1

    def compare(*_: Any) -> None:
        if before:
            for (name, p), old in zip(matrices.items(), before, strict=True):
                record.ratios[name].append(_ratio(p.detach(), old))
            before.clear()

    hooks = [optimizer.register_step_pre_hook(look), optimizer.register_step_post_hook(compare)]
    try:
        yield record
    finally:
        for hook in hooks:
            hook.remove()


def _norm(gradients: list[Tensor]) -> float:
    values = [g.coalesce().values() if g.is_sparse else g for g in gradients]
    return math.hypot(*(float(torch.linalg.vector_norm(v)) for v in values))


def _ratio(new: Tensor, old: Tensor) -> float:
    moved, spread = float((new - old).float().std()), float(old.float().std())
    return math.log10(moved / spread) if moved > 0 and spread > 0 else math.nan
