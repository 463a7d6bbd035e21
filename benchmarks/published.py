"""The tutorial's experiment beside its published figures: `translation_tutorial` and a frozen encoder on it.

The published BLEU is not sacrebleu's: the errors that were published with it, 81 of 400 sentences with two adjectives
exchanged and all others right, are planted here in the true translations and scored by sacrebleu.

    python benchmarks/published.py

Trainings are taken from `outputs/store` where they are there already; one takes most of a minute. The published
figures are those of the tutorial's own library over three training seeds.
"""

import random
from pathlib import Path
from typing import Any

from sacrebleu.metrics.bleu import BLEU

from diagkit import runner
from diagkit.api import experiments
from diagkit.plan import chains, pairs
from diagkit.stages import finished
from diagkit.tasks import corpus

STORE = Path(__file__).resolve().parents[1] / "outputs" / "store"
SEEDS = range(3)
PUBLISHED = {
    "control": {"val_loss": "0.097, 0.118, 0.126", "BLEU": "70, 70, 72", "exact": "0.795"},
    "frozen_encoder": {"val_loss": "0.738, 0.737, 0.708", "BLEU": "22, 22, 28", "exact": ""},
}
EXCHANGED, SENTENCES = 81, 400  # of which 153 have two adjectives


def scores() -> dict[str, list[dict[str, Any]]]:
    """Return the scores of both runs, one per seed."""
    found, config = experiments("translation_tutorial", ["frozen_encoder"])
    planned = pairs(found, SEEDS)
    for outcome in runner.execute(chains(planned), STORE, config.jobs, lambda *_: None):
        if not outcome.usable:
            raise SystemExit(f"{outcome.run.label}: {outcome.reason}")
    sides = {"control": [pair.control for pair in planned], "frozen_encoder": [pair.broken for pair in planned]}
    stored = {name: [finished(STORE, run.keys, run.probes) or {} for run in runs] for name, runs in sides.items()}
    return {name: [evidence["scores"] for evidence in its] for name, its in stored.items()}


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
    for name, its in scores().items():
        here = {
            "val_loss": [f"{score['val_loss']:.3f}" for score in its],
            "BLEU": [f"{score['value']:.0f}" for score in its],
            "exact": [f"{score['extra']['exact_match']:.3f}" for score in its],
        }
        for figure, values in here.items():
            print(f"{name:<16}{figure:<10}here {', '.join(values):<24}published {PUBLISHED[name][figure]}")
    values = ", ".join(f"{exchanged(seed):.1f}" for seed in SEEDS)
    print(f"\nthe published errors of the control, {EXCHANGED} of {SENTENCES}, in sacrebleu: {values}")


if __name__ == "__main__":
    main()
