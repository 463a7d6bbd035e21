"""A score of a test set: the figure, and the rows it can be recomputed from."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

Totals = NDArray[np.float64]  # (figures,), statistics summed over test examples


@dataclass(frozen=True)
class Score:
    """What a recipe's `score` function returns.

    Attributes:
        metric: a name of `METRICS`; higher is better.
        statistics: one row per test example, from whose totals `METRICS[metric]` computes the figure.
        outputs: what the model gave for every test example, as a person reads it.
        extra: further figures by name, for the reader.
        signature: how the metric was computed, e.g. sacrebleu's signature.
        inputs: what the model was given for every test example, as a person reads it and no two alike; empty takes the
            texts of the examples, or their numbers.
        truths: what it should have given; empty takes the texts, or the names of the classes.
    """

    metric: str
    statistics: list[list[float]]
    outputs: list[str]
    extra: dict[str, float] = field(default_factory=dict)
    signature: str = ""
    inputs: list[str] = field(default_factory=list)
    truths: list[str] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The figure over all examples."""
        return METRICS[self.metric](np.array(self.statistics).sum(0), len(self.statistics))


def mean(totals: Totals, examples: int) -> float:
    """Average the first figure."""
    return float(totals[0] / examples)


def skill(totals: Totals, examples: int = 0) -> float:
    """Return the share of a reference's error that a forecast avoids, at most 1; negative for one that is worse.

    Args:
        totals: `(2,)`: squared error of the forecast, and of the reference.
    """
    forecast, reference = totals
    return float(1 - forecast / reference) if reference else float("nan")


def bleu(totals: Totals, examples: int = 0) -> float:
    """Compute corpus BLEU, 0 to 100, from summed sentence statistics; the number of sentences does not matter.

    Args:
        totals: `(10,)`: hypothesis length, reference length, four n-gram matches, four n-gram totals.
    """
    system, reference, *counts = totals.astype(int).tolist()
    return float(BLEU.compute_bleu(counts[:4], counts[4:], system, reference, smooth_method="exp").score)


METRICS: dict[str, Callable[[Totals, int], float]] = {"BLEU": bleu, "accuracy": mean, "mean": mean, "skill": skill}
ENDS = {
    "BLEU": (0.0, 100.0),
    "accuracy": (0.0, 1.0),
}  # a score there cannot show that something made it worse or better


def bleu_statistics(outputs: list[str], references: list[str]) -> tuple[list[list[float]], str]:
    """Return the statistics of every sentence, which `bleu` takes summed, and sacrebleu's signature."""
    metric = BLEU()
    rows: list[list[float]] = []
    for output, reference in zip(outputs, references, strict=True):
        one = metric.corpus_score([output], [[reference]])
        rows.append([float(n) for n in (one.sys_len, one.ref_len, *one.counts, *one.totals)])
    return rows, str(metric.get_signature())
