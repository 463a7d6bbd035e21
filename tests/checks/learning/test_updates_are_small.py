import torch
from torch import nn

from diagkit.checks.learning.updates_are_small import updates_are_small
from diagkit.evidence.training import History
from diagkit.finding import Verdict
from diagkit.probes.update_ratios import update_ratios


def judged(rate, losses):
    torch.manual_seed(0)
    model = nn.Linear(16, 8)
    batches = [(torch.randn(32, 16), torch.randn(32, 8))]
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    evidence = update_ratios(model, batches, nn.functional.mse_loss, optimizer)
    return updates_are_small(evidence, History(losses, [rate] * len(losses), rate, [], []))


def test_ratios():
    assert judged(1e-3, [1.0, 1.0]).verdict is Verdict.PASS
    assert judged(1.0, [1.0, 1.0]).faults == ("learning_rate_too_high",)
    assert judged(1e-8, [1.0, 1.0]).faults == ("learning_rate_too_low",)


def test_a_run_that_went_well_passes():
    assert judged(1.0, [1.0, 0.1]).verdict is Verdict.PASS
