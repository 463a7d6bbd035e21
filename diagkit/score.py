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
        return METRICS[self.metric](np.array(self.statistics))


def mean(rows: Rows) -> float:
    """Average the first column."""
    return float(rows[:, 0].mean())


def skill(rows: Rows) -> float:
    """Return the share of a reference's error that a forecast avoids, at most 1; negative for one that is worse.

    Args:
        rows: `(examples, 2)`: squared error of the forecast, and of the reference.
    """
    forecast, reference = rows.sum(0)
    return float(1 - forecast / reference) if reference else float("nan")


def bleu(rows: Rows) -> float:
    """Compute corpus BLEU, 0 to 100, from sentence statistics.

    Args:
        rows: `(sentences, 10)`: hypothesis length, reference length, four n-gram matches, four n-gram totals.
    """
    system, reference, *counts = rows.sum(0).astype(int).tolist()
    return float(BLEU.compute_bleu(counts[:4], counts[4:], system, reference, smooth_method="exp").score)


METRICS: dict[str, Callable[[Rows], float]] = {"BLEU": bleu, "accuracy": mean, "mean": mean, "skill": skill}


def bleu_statistics(outputs: list[str], references: list[str]) -> tuple[list[list[float]], str]:
    """Return the statistics rows of `bleu` for every sentence, and sacrebleu's signature."""
    metric = BLEU()
    rows: list[list[float]] = []
    for output, reference in zip(outputs, references, strict=True):
        one = metric.corpus_score([output], [[reference]])
        rows.append([float(n) for n in (one.sys_len, one.ref_len, *one.counts, *one.totals)])
    return rows, str(metric.get_signature())
