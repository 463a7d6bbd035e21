"""A score of a test set: the figure, and the rows it can be recomputed from."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """What a recipe's `score` function returns.

    Attributes:
        metric: a name of `METRICS`; higher is better.
        statistics: one row per test example, from which `METRICS[metric]` computes the figure.
        outputs: what the model gave for every test example, as a person reads it.
        extra: further figures by name, for the reader.
        signature: how the metric was computed, e.g. sacrebleu's signature.
    """

    metric: str
    statistics: list[list[float]]
    outputs: list[str]
    extra: dict[str, float] = field(default_factory=dict)
    signature: str = ""

    @property
    def value(self) -> float:
        """The figure over all examples."""
        return METRICS[self.metric](np.array(self.statistics))


def mean(rows: Rows) -> float:
    """Average the first column."""
    return float(rows[:, 0].mean())


def bleu(rows: Rows) -> float:
    """Compute corpus BLEU, 0 to 100, from sentence statistics.

    Args:
        rows: `(sentences, 10)`: hypothesis length, reference length, four n-gram matches, four n-gram totals.
    """
    system, reference, *counts = rows.sum(0).astype(int).tolist()
    return float(BLEU.compute_bleu(counts[:4], counts[4:], system, reference, smooth_method="exp").score)


METRICS: dict[str, Callable[[Rows], float]] = {"BLEU": bleu, "accuracy": mean, "mean": mean}


def bleu_statistics(outputs: list[str], references: list[str]) -> tuple[list[list[float]], str]:
    """Return the statistics rows of `bleu` for every sentence, and sacrebleu's signature."""
    metric = BLEU()
    rows: list[list[float]] = []
    for output, reference in zip(outputs, references, strict=True):
        one = metric.corpus_score([output], [[reference]])
        rows.append([float(n) for n in (one.sys_len, one.ref_len, *one.counts, *one.totals)])
    return rows, str(metric.get_signature())
