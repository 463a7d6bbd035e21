"""The training loop: read it from top to bottom."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR, LRScheduler

from diagkit.evidence.training import History
from diagkit.examples import Batches, Examples, epoch

Loss = Callable[[Tensor, Tensor], Tensor]
Progress = Callable[[int, float], None]


def forward(model: nn.Module, inputs: Tensor | tuple[Tensor, ...]) -> Tensor:
    """Call a model with one tensor or with several."""
    outputs: Tensor = model(*inputs) if isinstance(inputs, tuple) else model(inputs)
    return outputs


def train(
    model: nn.Module,
    examples: Examples,
    val: Batches,
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    *,
    steps: int,
    batch_size: int,
    evaluate_every: int,
    clip_norm: float | None,
    seed: int,
    progress: Progress,
) -> History:
    """Take `steps` optimizer steps and record each of them.

    Args:
        clip_norm: largest norm of the whole gradient; None does not clip.
        evaluate_every: steps between two validation losses; the last step always has one.
        seed: draws the order of the examples.
        progress: told the step and its loss.
    """
    history = History([], [], optimizer.param_groups[0]["initial_lr"], [], [])
    batches = endless(examples, batch_size, seed)
    model.train()
    for step in range(1, steps + 1):
        inputs, targets = examples.batch(next(batches))
        history.rates.append(optimizer.param_groups[0]["lr"])

        loss = loss_fn(forward(model, inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        if clip_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
        optimizer.step()
        scheduler.step()

        history.losses.append(loss.item())
        if step % evaluate_every == 0 or step == steps:
            history.val_steps.append(step)
            history.val_losses.append(mean_loss(model.eval(), val, loss_fn))
            model.train()
        progress(step, history.losses[-1])
    return history


def endless(examples: Examples, batch_size: int, seed: int) -> Iterator[Tensor]:
    """Yield the rows of one batch after another, epoch by epoch, each in a new order."""
    generator = torch.Generator().manual_seed(seed)
    lengths = examples.lengths()
    while True:
        yield from epoch(examples, lengths, batch_size, generator)


@torch.no_grad()
def mean_loss(model: nn.Module, batches: Batches, loss_fn: Loss) -> float:
    """Average the loss over all targets, in the mode the model is in."""
    total, count = 0.0, 0
    for inputs, targets in batches:
        size = targets.numel() if batches.examples.pad is None else int((targets != batches.examples.pad).sum())
        total += loss_fn(forward(model, inputs), targets).item() * size
        count += size
    return total / count


def rate_schedule(
    optimizer: torch.optim.Optimizer, *, warmup: int, decay: str, floor: float, steps: int
) -> LRScheduler:
    """Return a scheduler that rises linearly for `warmup` steps, then stays, or falls to `floor` of the rate."""

    def share(step: int) -> float:
        if step < warmup:
            return (step + 1) / warmup
        if decay == "constant":
            return 1.0
        done = min(1.0, (step - warmup) / max(1, steps - warmup))
        return floor + (1 - floor) * (1 + math.cos(math.pi * done)) / 2

    return LambdaLR(optimizer, share)
