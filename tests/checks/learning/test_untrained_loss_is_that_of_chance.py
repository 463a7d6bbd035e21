import torch
from torch import nn

from diagkit.checks.learning.untrained_loss_is_that_of_chance import untrained_loss_is_that_of_chance
from diagkit.evidence.learning import InitialLoss
from diagkit.finding import Verdict
from diagkit.probes.initial_loss import initial_loss


def judged(scale, size=1.0, end=None):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10), *([end] if end else []))
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(scale)
    loss = nn.NLLLoss() if end else nn.CrossEntropyLoss()
    evidence = initial_loss(model, [(size * torch.randn(64, 16), torch.randint(10, (64,)))], loss)
    assert abs(evidence.reference - 2.3026) < 1e-3
    return untrained_loss_is_that_of_chance(evidence)


def test_weights_or_inputs_that_are_too_large():
    assert judged(10.0).faults == ("bad_initialization",)
    assert judged(1.0, size=1000.0).faults == ("unnormalized_inputs",)
    assert judged(1.0).verdict is Verdict.PASS
    assert judged(1.0, end=nn.LogSoftmax(-1)).verdict is Verdict.PASS


def test_edges():
    nan = float("nan")
    assert untrained_loss_is_that_of_chance(InitialLoss(9, nan, 2.3, 1.0)).verdict is Verdict.SKIP
    assert untrained_loss_is_that_of_chance(InitialLoss(9, 1.0, nan, 1.0)).verdict is Verdict.SKIP
    assert untrained_loss_is_that_of_chance(InitialLoss(9, 8.0, 1.0, 1.0)).verdict is Verdict.PASS
