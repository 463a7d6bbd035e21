"""How much of a training step is matrix products, and what is the rest?

The step is the one of `diagkit.training.train` on the `translation` recipe, on one thread: batch, model, loss,
zero_grad, backward, Adam, scheduler, `loss.item()`. The products of a step are read off that step while it runs
(every `mm`, `addmm` and `bmm` with its shapes and strides: the linear layers and the scores and values of attention,
forward and backward), and then computed alone, each on memory of its own. Both are timed batch by batch in turn.

    python benchmarks/step.py
"""

import math
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

from diagkit import build
from diagkit.api import experiments
from diagkit.training import endless, forward

BATCHES, ROUNDS = 47, 15  # one epoch, and how often it is timed
BAR = 1.8
SHOWN = 14  # operations of the profile

Product = Callable[[], object]


class Products(TorchDispatchMode):
    """Collect the matrix products of what runs inside, ready to be computed again on memory of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Product] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = func.overloadpacket.__name__
        if name in ("mm", "bmm"):
            self.add(func, args[0], args[1])
        elif name == "addmm":
            self.add(torch.ops.aten.mm.default, args[1], args[2])
        elif "attention" in name or "matmul" in name or "linear" in name:
            raise NotImplementedError(f"{name} has products that this benchmark does not count")
        return func(*args, **(kwargs or {}))

    def add(self, func: Any, left: Tensor, right: Tensor) -> None:
        """Add one product."""
        mine, its = (
            torch.empty_strided(side.shape, side.stride()).copy_(torch.randn(side.shape)) for side in (left, right)
        )
        out = func(mine, its)
        self.found.append(lambda: func.overloadpacket.out(mine, its, out=out))


def once(work: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    """Time, profile and print."""
    torch.set_num_threads(1)
    load = os.getloadavg()[0]
    config = experiments("translation", [])[0][0].config
    build.seed_everything(0)
    splits = build.splits(config)
    model, loss_fn = build.model(config, splits), build.loss(config)
    optimizer = build.optimizer(config, model)
    scheduler = build.schedule(config, optimizer)
    order = endless(splits.train, config["training"]["batch_size"], seed=0)
    epoch = [next(order) for _ in range(BATCHES)]

    def step(rows: Tensor) -> None:  # the body of `diagkit.training.train`
        inputs, targets = splits.train.batch(rows)
        loss = loss_fn(forward(model, inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        loss.item()

    model.train()
    products: dict[tuple[int, ...], list[Product]] = {}  # by batch shape
    shapes = []
    for rows in epoch:
        (source, prompt), _ = splits.train.batch(rows)
        shapes.append((len(rows), source.shape[1], prompt.shape[1]))
        if shapes[-1] not in products:
            with Products() as counted:
                step(rows)
            products[shapes[-1]] = counted.found

    times = []  # (step, products) per batch and round
    for _ in range(ROUNDS):
        for rows, shape in zip(epoch, shapes, strict=True):
            whole = once(lambda rows=rows: step(rows))  # type: ignore[misc]
            alone = once(lambda shape=shape: [product() for product in products[shape]])  # type: ignore[misc]
            times.append((whole, alone))
    # Each batch at its fastest round: other programs only ever add time.
    best = [[min(times[i::BATCHES], key=lambda t: t[k])[k] for i in range(BATCHES)] for k in (0, 1)]
    whole, alone = (1000 * statistics.mean(part) for part in best)
    median = statistics.median(whole / alone for whole, alone in times)

    lengths = ", ".join(f"{b}x({s}, {t}): {shapes.count((b, s, t))}" for b, s, t in sorted(set(shapes)))
    print(f"torch {torch.__version__}, one thread, load {load:.1f} before, {ROUNDS} rounds of {BATCHES} batches")
    print(f"batches by (source, target) length: {lengths}")
    print(f"{len(products[shapes[0]])} matrix products per step\n")
    print(f"  training step               {whole:8.2f} ms")
    print(f"  its matrix products alone   {alone:8.2f} ms")
    verdict = "met" if whole / alone <= BAR else "MISSED"
    print(f"  ratio                       {whole / alone:8.2f}   bar <= {BAR}: {verdict}")
    print(f"  median of all pairs         {median:8.2f}\n")
    show_profile(lambda: [step(rows) for rows in epoch])


def show_profile(work: Callable[[], object]) -> None:
    """Print where the time of one epoch goes, by operation."""
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        work()
    events = sorted(profiler.key_averages(), key=lambda event: event.self_cpu_time_total, reverse=True)
    total = math.fsum(event.self_cpu_time_total for event in events)
    print(f"{'where the time goes (profiled, which slows small operations)':<62}{'share':>6}{'calls/step':>12}")
    for event in events[:SHOWN]:
        share = event.self_cpu_time_total / total
        print(f"  {event.key[:58]:<60}{share:>6.1%}{event.count / BATCHES:>12.1f}")


if __name__ == "__main__":
    main()
