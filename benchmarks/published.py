"""The tutorial's experiment beside its published figures: `translation_tutorial` and a frozen encoder on it.

The published BLEU is not sacrebleu's: the errors that were published with it, 81 of 400 sentences with two adjectives
exchanged and all others right, are planted here in the true translations and scored by sacrebleu.

    python benchmarks/published.py

Trainings are taken from `outputs/store` where they are there already; one takes most of a minute. The published
figures are those of the tutorial's own library over three training seeds.
"""

import random
from pathlib import Path

import pandas as pd
from sacrebleu.metrics.bleu import BLEU

import diagkit
from diagkit.tasks import corpus

OUTPUTS = Path(__file__).resolve().parents[1] / "outputs"
STORE, REPORT = OUTPUTS / "store", OUTPUTS / "published"
SEEDS = range(3)
PUBLISHED = {
    "control": {"val_loss": "0.097, 0.118, 0.126", "BLEU": "70, 70, 72", "exact": "0.795"},
    "frozen_encoder": {"val_loss": "0.738, 0.737, 0.708", "BLEU": "22, 22, 28", "exact": ""},
}
EXCHANGED, SENTENCES = 81, 400  # of which 153 have two adjectives


def runs() -> pd.DataFrame:
    """Return one row per run of the control and of the frozen encoder."""
    table = diagkit.run("translation_tutorial", ["frozen_encoder"], SEEDS, [f"store={STORE}"], REPORT)
    return pd.read_csv(Path(table.attrs["report"]).with_name("runs.csv"))


def exchanged(seed: int) -> float:
    """Return sacrebleu's score of true translations of which `EXCHANGED` have their two adjectives exchanged."""
    truths = [target for _, target in corpus.synthetic(1, SENTENCES, 1, seed).val]
    outputs = [truth.split() for truth in truths]
    two = [row for row, words in enumerate(outputs) if len(words) == max(map(len, outputs))]
    for row in random.Random(seed).sample(two, EXCHANGED):
        *start, first, second, noun = outputs[row]
        outputs[row] = [*start, second, first, noun]
    return float(BLEU().corpus_score([" ".join(words) for words in outputs], [truths]).score)


def main() -> None:
    """Print the tables."""
    for name, its in runs().groupby("breakage"):
        for figure, column, digits in (("val_loss", "val_loss", 3), ("BLEU", "score", 0), ("exact", "exact_match", 3)):
            values = ", ".join(f"{value:.{digits}f}" for value in its[column])
            print(f"{name:<16}{figure:<10}here {values:<24}published {PUBLISHED[str(name)][figure]}")
    values = ", ".join(f"{exchanged(seed):.1f}" for seed in SEEDS)
    print(f"\nthe published errors of the control, {EXCHANGED} of {SENTENCES}, in sacrebleu: {values}")


if __name__ == "__main__":
    main()
