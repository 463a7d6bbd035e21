"""Train every healthy program with a plain loop and print whether it is as healthy as it claims.

usage: python benchmarks/healthy/_check.py [NAME ...] [--seeds 0 1 2]

One line per program and seed; seconds are processor time, to build plus to train, and the last figures are the
program's own `evaluate` on test. `PROBLEM` names what is not healthy: `leak` (an input row of val or test occurs
in train), `twins` (an input row occurs twice in train), `gap` (val loss far above train loss), `flat` (val loss
hardly falls), `rising` (val loss rose after its best epoch), `unfinished` (val loss still falls in the last
quarter), `chance` (hardly better than the majority class), `slow`, `unrepeatable` (same seed, other first loss).
"""

import argparse
import importlib.util
import itertools
import sys
import time
from pathlib import Path
from typing import Any

import torch

MAX_GAP = 0.2  # nats, classification; other tasks: as a fraction of the val loss of the untrained model
MIN_DROP = 0.1  # fraction of the untrained val loss
MAX_SECONDS = 6.0


def load(name: str) -> Any:
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"healthy_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def unpack(batch: Any) -> tuple[Any, torch.Tensor]:
    return (batch["input"], batch["target"]) if isinstance(batch, dict) else (batch[0], batch[1])


def rows_of(inputs: Any, targets: torch.Tensor) -> list[tuple]:
    """Every example of a batch as a hashable row, with trailing padding cut off."""
    tensors = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    if any(len(t) != len(targets) for t in tensors):  # ids of all bags in one row, then the offsets
        ids, offsets = tensors
        bags = torch.tensor_split(ids, offsets[1:])
        return [tuple(bag.tolist()) for bag in bags]
    rows = []
    for i in range(len(targets)):
        row: list[float] = []
        for t in tensors:
            values = t[i].flatten().tolist()
            while len(values) > 1 and values[-1] == 0:
                values.pop()
            row += [*values, float("inf")]
        rows.append(tuple(row))
    return rows


def split_rows(batches: Any) -> list[tuple]:
    return list(itertools.chain.from_iterable(rows_of(*unpack(b)) for b in batches))


class Trainer:
    def __init__(self, program: dict[str, Any]):
        self.p = program
        self.model = program["model"]
        self.predict = program.get("predict") or (lambda m, x: m(x))

    def step(self, batch: Any) -> float:
        loss_fn, optimizer = self.p["loss_fn"], self.p["optimizer"]
        if "train_step" in self.p:
            return float(self.p["train_step"](self.model, batch, loss_fn, optimizer))
        inputs, targets = unpack(batch)
        optimizer.zero_grad()
        loss = loss_fn(self.predict(self.model, inputs), targets)
        loss.backward()
        optimizer.step()
        return loss.item()

    @torch.no_grad()
    def score(self, batches: Any) -> tuple[float, float, float]:
        """Mean loss, accuracy and majority share in evaluation mode; accuracy is NaN outside classification."""
        self.model.eval()
        total, count, hits, labels = 0.0, 0, 0.0, []
        for inputs, targets in map(unpack, batches):
            out = self.predict(self.model, inputs)
            total += self.p["loss_fn"](out, targets).item() * len(targets)
            count += len(targets)
            hit, seen = self.hits(out, targets)
            hits += hit
            labels.append(seen)
        seen = torch.cat(labels)
        majority = seen.unique(return_counts=True)[1].max().item() / len(seen) if len(seen) else float("nan")
        accuracy = hits / len(seen) if len(seen) else float("nan")
        if self.p["task"] == "binary" and "evaluate" in self.p:  # the author knows what the outputs mean
            accuracy = self.p["evaluate"](self.model, batches).get("accuracy", accuracy)
            self.model.eval()
        return total / count, accuracy, majority

    def hits(self, out: Any, targets: torch.Tensor) -> tuple[float, torch.Tensor]:
        out = out[0] if isinstance(out, tuple) else out
        if self.p["task"] == "regression":
            return 0.0, torch.empty(0)
        if self.p["task"] == "binary":
            cut = 0.5 if isinstance(self.p["loss_fn"], torch.nn.BCELoss) else 0.0
            out = out.reshape(targets.shape)
            return ((out > cut) == (targets > 0.5)).sum().item(), (targets > 0.5).long().flatten()
        axis = 1 if out.ndim == 4 else -1
        guess = out.argmax(axis)
        ignore = getattr(self.p["loss_fn"], "ignore_index", -100)
        known = (targets != -100) & (targets != ignore)
        if self.p["task"] in ("language_model", "seq2seq"):
            known &= targets != 0
        return (guess == targets)[known].sum().item(), targets[known]

    def run(self) -> tuple[list[float], list[tuple[float, float, float]], float]:
        scheduler, interval = self.p.get("scheduler"), self.p.get("scheduler_interval")
        train_losses, vals, seconds = [], [self.score(self.p["val"])], 0.0
        for _ in range(self.p["epochs"]):
            start = time.process_time()
            self.model.train()
            losses = []
            for batch in self.p["train"]:
                losses.append(self.step(batch))
                if scheduler and interval == "step":
                    scheduler.step()
            if scheduler and interval == "epoch":
                scheduler.step()
            train_losses.append(sum(losses) / len(losses))
            seconds += time.process_time() - start
            vals.append(self.score(self.p["val"]))
        return train_losses, vals, seconds


def problems(task: str, vals: list, gap: float, seconds: float, sets: dict, replacement: bool) -> list[str]:
    losses = [v[0] for v in vals]
    drop = losses[0] - losses[-1]
    late = losses[3 * (len(losses) - 1) // 4] - losses[-1]
    scale = losses[0] if task == "regression" else 1.0
    known = set(sets["train"])
    found = {
        "leak": any(row in known for name in ("val", "test") for row in sets[name]),
        "twins": len(known) < len(sets["train"]) and not replacement,
        "gap": gap > MAX_GAP * scale,
        "flat": not drop > MIN_DROP * abs(losses[0]),
        "rising": losses[-1] - min(losses) > 0.05 * (losses[0] - min(losses)),
        "unfinished": late > 0.1 * drop,
        "chance": task != "regression" and not vals[-1][1] > vals[-1][2] + min(0.05, 0.5 * vals[-1][2]),
        "slow": seconds > MAX_SECONDS,
    }
    return [name for name, bad in found.items() if bad]


def check(name: str, seed: int) -> list[str]:
    module = load(name)
    start = time.process_time()
    program = module.build(seed)
    built = time.process_time() - start
    sets = {k: split_rows(program[k]) if program[k] is not None else [] for k in ("train", "val", "test")}
    program = module.build(seed)  # reading the loaders has moved the random state
    trainer = Trainer(program)
    train, vals, seconds = trainer.run()
    again = Trainer(module.build(seed))
    again.score(again.p["val"])
    again.model.train()
    repeated = again.step(next(iter(again.p["train"])))
    end_train, end_val = trainer.score(program["train"]), vals[-1]
    gap = end_val[0] - end_train[0]
    replacement = getattr(getattr(program["train"], "sampler", None), "replacement", False)
    found = problems(program["task"], vals, gap, seconds + built, sets, replacement)
    fresh = Trainer(module.build(seed))
    fresh.score(fresh.p["val"])
    fresh.model.train()
    if repeated != fresh.step(next(iter(fresh.p["train"]))):
        found.append("unrepeatable")
    accuracy = f"acc {end_val[1]:.3f} (majority {end_val[2]:.3f})" if end_val[1] == end_val[1] else " " * 26
    own = program["evaluate"](program["model"], program["test"]) if "evaluate" in program else {}
    print(
        f"{name:28} {seed}  train {train[0]:9.4g} -> {train[-1]:9.4g}  val {vals[0][0]:9.4g} -> {end_val[0]:9.4g}"
        f"  gap {gap:8.3g}  {accuracy}  {built:4.1f}+{seconds:3.1f} s"
        f"  {' '.join(f'{k}={v:.3g}' for k, v in own.items())}"
        f"{'  PROBLEM: ' + ', '.join(found) if found else ''}",
        flush=True,
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    args = parser.parse_args()
    torch.set_num_threads(1)
    here = Path(__file__).parent
    names = args.names or sorted(p.stem for p in here.glob("*.py") if not p.stem.startswith("_"))
    bad = [(n, s) for n in names for s in args.seeds if check(n, s)]
    print(f"{len(names)} programs, {len(args.seeds)} seeds, {len(bad)} runs with a problem")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
