"""Does the alignment check tell real parallel text from text whose sides do not belong together?

5,000 real English-French pairs and random samples of them in the order of the file, five seeds each: intact, with the
target side shuffled, and with the target side shifted by one row. The file is sorted, so a shift leaves every row
beside a target that resembles its own. The thresholds of `checks/data/targets_match_inputs.py` come from here.

    python benchmarks/alignment.py
"""

import random
from collections import Counter
from pathlib import Path

from diagkit.checks.data.targets_match_inputs import targets_match_inputs
from diagkit.probes.alignment import Pair, alignment

TEXT = Path(__file__).resolve().parents[2] / "shared" / "data" / "eng-fra.tsv"
SIZES, SEEDS = (5000, 500, 200), range(5)
COLUMNS = ("beats_random", "beats_neighbour", "length_correlation", "anchor_agreement")


def variants(pairs: list[Pair], seed: int) -> dict[str, list[Pair]]:
    """Return the pairs intact, shuffled and shifted."""
    sources, targets = zip(*pairs, strict=True)
    shuffled = random.Random(seed).sample(targets, len(targets))
    return {
        "intact": pairs,
        "shuffled": list(zip(sources, shuffled, strict=True)),
        "shifted": list(zip(sources, targets[1:] + targets[:1], strict=True)),
    }


def main() -> None:
    """Print ranges over the seeds and the verdicts."""
    if not TEXT.is_file():
        print(f"skipped: {TEXT} is not there")
        return
    lines = [line.split("\t") for line in TEXT.read_text("utf-8").splitlines()]
    pairs = [(line[0], line[1]) for line in lines]
    print(f"{'rows':>5} {'targets':<9}" + "".join(f"{name:>20}" for name in COLUMNS) + "   verdicts")
    for size in SIZES:
        found: dict[str, list[dict[str, float]]] = {}
        verdicts: dict[str, Counter[str]] = {}
        for seed in SEEDS:
            rows = sorted(random.Random(seed).sample(range(len(pairs)), min(size, len(pairs))))
            for name, its in variants([pairs[row] for row in rows], seed).items():
                evidence = alignment(its, seed=seed)
                found.setdefault(name, []).append(vars(evidence))
                verdicts.setdefault(name, Counter())[targets_match_inputs(evidence).verdict.value] += 1
        for name, values in found.items():
            ranges = "".join(f"{span([value[column] for value in values]):>20}" for column in COLUMNS)
            counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts[name].items())
            print(f"{size:>5} {name:<9}{ranges}   {counts}")


def span(values: list[float]) -> str:
    """Return the smallest and the largest value."""
    return f"{min(values):.2f} to {max(values):.2f}"


if __name__ == "__main__":
    main()
