"""How long does the whole job take, beside the tutorial's own way of doing it?

The yardstick is a plain loop: a `DataLoader` that tokenizes every item again, `torch.nn.Transformer`, masks built in
every step, a validation loss after every epoch, both cores for one run after the other. It does what the tutorial
did: 20 epochs of control, shuffled target and frozen encoder, 3 epochs at rate 0, and 60 pairs in batches of 16 for
150 epochs. `--share 1` runs them all and takes their wall time. All epochs of a run cost the same, so else a share of
them is timed and the fastest counts for every one, which is less than a whole run takes: on a busy machine two threads
that wait for each other take many times as long.
diagkit is timed as the command that a user types, start-up and report included, with an empty store.

    python benchmarks/suite.py

Every round times everything once, one after the other; the table shows the smallest time of each.
"""

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch
from sacrebleu.metrics import BLEU
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

from diagkit.tasks import corpus

PROJECT = Path(__file__).resolve().parents[1]
BREAKAGES = "zero_lr,frozen_encoder,shuffled_target,tiny_data,train_mode_eval,contaminated_test"
PAD, START, END = 0, 1, 2
WIDTH, WARMUP = 128, 4000
LONGEST = 10  # words a translation may have

warnings.filterwarnings("ignore", message=".*nested tensors.*")  # of nn.TransformerEncoder in eval mode


# The yardstick -----------------------------------------------------------------------------------------------------


class Pairs(Dataset[tuple[Tensor, Tensor]]):
    """Sentence pairs, tokenized whenever one is asked for."""

    def __init__(self, pairs: list[corpus.Pair], ids: dict[str, int]) -> None:
        self.pairs, self.ids = pairs, ids

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, row: int) -> tuple[Tensor, Tensor]:
        source, target = self.pairs[row]
        return (
            torch.tensor([self.ids[word] for word in source.split()]),
            torch.tensor([START, *(self.ids[word] for word in target.split()), END]),
        )


def padded(items: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, ...]:
    """Collate pairs: pad both sides to the longest of the batch."""
    return tuple(
        nn.utils.rnn.pad_sequence(list(side), batch_first=True, padding_value=PAD) for side in zip(*items, strict=True)
    )


class PlainTransformer(nn.Module):
    """`torch.nn.Transformer` between embeddings and a linear output, as a tutorial writes it."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(words, WIDTH), nn.Embedding(words, WIDTH)
        self.transformer = nn.Transformer(WIDTH, 4, 2, 2, 256, 0.1, batch_first=True)
        self.output, self.dropout = nn.Linear(WIDTH, words), nn.Dropout(0.1)
        angle = torch.arange(100)[:, None] * torch.exp(torch.arange(0, WIDTH, 2) * (-math.log(10_000.0) / WIDTH))
        self.register_buffer("positions", torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1))

    def forward(self, source: Tensor, prompt: Tensor) -> Tensor:
        causal = nn.Transformer.generate_square_subsequent_mask(prompt.shape[1], dtype=torch.bool)
        output = self.transformer(
            self._embed(self.source, source),
            self._embed(self.target, prompt),
            tgt_mask=causal,
            src_key_padding_mask=source == PAD,
            tgt_key_padding_mask=prompt == PAD,
            memory_key_padding_mask=source == PAD,
        )
        return self.output(output)

    def _embed(self, table: nn.Embedding, ids: Tensor) -> Tensor:
        return self.dropout(table(ids) * math.sqrt(WIDTH) + self.positions[: ids.shape[1]])


@dataclass(frozen=True)
class Plan:
    """One of the tutorial's runs."""

    name: str
    epochs: int
    pairs: int = 3000
    batch_size: int = 64
    rate: float = 1e-3
    shuffled: bool = False
    frozen: bool = False


TUTORIAL = (
    Plan("control", 20),
    Plan("target side shuffled", 20, shuffled=True),
    Plan("encoder frozen", 20, frozen=True),
    Plan("learning rate 0", 3, rate=0.0),
    Plan("60 pairs", 150, pairs=60, batch_size=16),
)


def tutorial(plan: Plan, share: float) -> float:
    """Return the seconds of one run, or an estimate from `share` of its epochs; set-up and scoring count once."""
    began = time.perf_counter()
    torch.manual_seed(0)
    data = corpus.synthetic(plan.pairs, 400, 400, seed=0)
    ids = {word: number for number, word in enumerate(["<pad>", "<start>", "<end>", *data.words])}
    if plan.shuffled:
        targets = [target for _, target in data.train]
        random.Random(0).shuffle(targets)
        data.train[:] = [(source, target) for (source, _), target in zip(data.train, targets, strict=True)]
    train = DataLoader(Pairs(data.train, ids), plan.batch_size, shuffle=True, collate_fn=padded)
    val = DataLoader(Pairs(data.val, ids), 64, collate_fn=padded)
    model = PlainTransformer(len(ids))
    model.transformer.encoder.requires_grad_(not plan.frozen)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=plan.rate)
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / WARMUP))

    epochs = max(1, round(share * plan.epochs))
    prepared = time.perf_counter()
    marks = [prepared]
    for _ in range(epochs):
        model.train()
        for source, target in train:
            optimizer.zero_grad()
            loss = token_loss(model(source, target[:, :-1]), target[:, 1:])
            loss.backward()
            optimizer.step()
            scheduler.step()
            loss.item()
        model.eval()
        with torch.no_grad():
            for source, target in val:
                token_loss(model(source, target[:, :-1]), target[:, 1:]).item()
        marks.append(time.perf_counter())
    score(model, val, [target for _, target in data.val], list(ids))
    ended = time.perf_counter()
    if epochs == plan.epochs:
        return ended - began
    fastest = min(after - before for before, after in pairwise(marks))
    return fastest * plan.epochs + (prepared - began) + (ended - marks[-1])


def token_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross entropy per real word."""
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)


@torch.no_grad()
def score(model: PlainTransformer, val: DataLoader[tuple[Tensor, ...]], truths: list[str], words: list[str]) -> float:
    """Translate greedily, batch by batch, and return BLEU."""
    outputs = []
    for source, _ in val:
        ids = torch.full((len(source), 1), START)
        for _ in range(LONGEST):
            ids = torch.cat([ids, model(source, ids)[:, -1:].argmax(-1)], dim=1)
        outputs += [
            " ".join(words[i] for i in row[: row.index(END) if END in row else None]) for row in ids[:, 1:].tolist()
        ]
    return float(BLEU().corpus_score(outputs, [truths]).score)


# diagkit -----------------------------------------------------------------------------------------------------------


@contextmanager
def empty_store() -> Iterator[Callable[..., float]]:
    """Give a function that runs the command with a store and report of its own and returns its wall seconds."""
    folder = Path(tempfile.mkdtemp(prefix="diagkit-suite-"))

    def command(*words: str) -> float:
        shutil.rmtree(folder / "report", ignore_errors=True)
        places = (f"store={folder}/store", f"hydra.sweep.dir={folder}/report")
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "diagkit", "-m", *words, *places],
            cwd=PROJECT,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - began
        if not (folder / "report" / "report.md").is_file():
            raise SystemExit(f"{' '.join(words)} ended with {done.returncode} and no report:\n{done.stderr}")
        return seconds

    try:
        yield command
    finally:
        shutil.rmtree(folder)


def measure(share: float) -> dict[str, float]:
    """Time everything once."""
    seconds = {plan.name: tutorial(plan, share) for plan in TUTORIAL}
    with empty_store() as command:
        seconds["cold"] = command(f"+breakage={BREAKAGES}", "jobs=2")
        seconds["again"] = command(f"+breakage={BREAKAGES}", "jobs=2")
    with empty_store() as command:
        seconds["one core"] = command(f"+breakage={BREAKAGES}", "jobs=1")
    with empty_store() as command:
        command("+breakage=zero_lr", "jobs=2")
        seconds["added"] = command("+breakage=zero_lr,train_mode_eval,contaminated_test", "jobs=2")
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=0.1, help="of the tutorial's epochs that are timed (0.1)")
    parser.add_argument("--rounds", type=int, default=3, help="of which the smallest time of each is shown (3)")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    rounds = [measure(options.share) for _ in range(options.rounds)]
    best = {name: min(its[name] for its in rounds) for name in rounds[0]}
    own_way = sum(best[plan.name] for plan in TUTORIAL)

    print(
        f"torch {torch.__version__}, {os.cpu_count()} cores, load {load:.1f} before, {os.getloadavg()[0]:.1f} after, "
        f"{options.rounds} rounds; the bars are meant for a machine with nothing else to do"
    )
    print(f"\nthe tutorial's own way, {torch.get_num_threads()} threads, share {options.share:g} timed")
    for plan in TUTORIAL:
        timed = max(1, round(options.share * plan.epochs))
        print(f"  {plan.name:<40}{best[plan.name]:8.1f} s   ({timed} of {plan.epochs} epochs timed)")
    print(f"  {'all':<40}{own_way:8.1f} s")
    print("\ndiagkit, translation, one seed")
    lines = (
        ("control and six breakages, cold, jobs=2", best["cold"], None),
        ("  share of the tutorial's own way", best["cold"] / own_way, ("<=", 1 / 8)),
        ("the same command again", best["again"], ("<=", 3.0)),
        ("two evaluation breakages added", best["added"], ("<=", 3.0)),
        ("  more than the same command again", best["added"] - best["again"], None),
        ("control and six breakages, cold, jobs=1", best["one core"], None),
        ("  two cores against one, times", best["one core"] / best["cold"], (">=", 1.7)),
    )
    for name, value, bar in lines:
        verdict = ""
        if bar:
            met = value <= bar[1] if bar[0] == "<=" else value >= bar[1]
            verdict = f"   bar {bar[0]} {bar[1]:g}: {'met' if met else 'MISSED'}"
        print(f"  {name:<40}{value:8.3f}{verdict}")


if __name__ == "__main__":
    main()
