import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from diagkit.checks.environment.evaluation_repeats import evaluation_repeats
from diagkit.evidence.environment import RepeatedEvaluation
from diagkit.probes.repeated_evaluation import repeated_evaluation


def sampled(model: nn.Module, batches: Any) -> dict[str, float]:
    model.eval()
    with torch.no_grad():
        return {"hits": float(sum(model(x).softmax(1).multinomial(1).sum() for x, _ in batches))}


def test_sampled_decoding_is_seen_itself() -> None:
    val = [(torch.randn(50, 4), torch.zeros(50, dtype=torch.long))]
    finding = evaluation_repeats(repeated_evaluation(nn.Linear(4, 5), val, F.cross_entropy, sampled))
    assert (finding.faults, finding.direct) == (("stochastic_decoding",), True)


def test_the_loss_is_repeated_where_no_evaluation_is_given() -> None:
    val = [(torch.randn(50, 4), torch.zeros(50, dtype=torch.long))]
    assert evaluation_repeats(repeated_evaluation(nn.Linear(4, 5), val, F.cross_entropy))


def test_nan_every_time_repeats_and_nan_once_does_not() -> None:
    assert evaluation_repeats(RepeatedEvaluation([{"loss": math.nan}] * 3))
    assert not evaluation_repeats(RepeatedEvaluation([{"loss": math.nan}, {"loss": 1.0}, {"loss": 1.0}]))


def test_no_figure_is_skipped() -> None:
    assert str(evaluation_repeats(RepeatedEvaluation([{}]))).startswith("SKIP")
