"""What does watching a training cost?

Blocks of steps are taken in turn watched and unwatched, in one process on one thread, on the digits network and the
translation Transformer. A block is one default interval, so that it holds exactly one watched step. Other programs only
ever add time, and they add it to both: the median over the pairs of neighbouring blocks counts.

    python benchmarks/watch.py
"""

import os
import statistics
import time

import torch

from diagkit import build
from diagkit.api import experiments
from diagkit.training import endless, forward
from diagkit.watch import EVERY, watch

PAIRS = 20
BAR = 0.03  # of the time of a step


def overhead(recipe: str) -> tuple[float, float]:
    """Return the median share of time that watching adds, and the milliseconds of an unwatched step."""
    config = experiments(recipe, [])[0][0].config
    build.seed_everything(0)
    splits = build.splits(config)
    model, loss_fn = build.model(config, splits), build.loss(config)
    optimizer = build.optimizer(config, model)
    order = endless(splits.train, config["training"]["batch_size"], seed=0)
    rows = [next(order) for _ in range(EVERY)]

    def block() -> float:
        began = time.process_time()
        for some in rows:
            inputs, targets = splits.train.batch(some)
            loss = loss_fn(forward(model, inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss.item()
        return time.process_time() - began

    def watched() -> float:
        with watch(model, optimizer):
            return block()

    model.train()
    block(), watched()
    pairs = []
    for number in range(PAIRS):  # each goes first half of the time
        times = [run() for run in ((block, watched) if number % 2 else (watched, block))]
        pairs.append(times if number % 2 else times[::-1])
    added = statistics.median(its / plain - 1 for plain, its in pairs)
    return added, 1000 * statistics.median(plain for plain, _ in pairs) / EVERY


def main() -> None:
    """Measure both recipes and print."""
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, load {os.getloadavg()[0]:.1f}, every {EVERY} steps, {PAIRS} pairs")
    for recipe in ("digits", "translation"):
        added, step = overhead(recipe)
        verdict = "met" if added <= BAR else "MISSED"
        print(f"  {recipe:<12} step {step:6.2f} ms   watching adds {added:+7.2%}   bar <= {BAR:.0%}: {verdict}")


if __name__ == "__main__":
    main()
