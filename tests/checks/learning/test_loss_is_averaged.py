import torch
from torch import nn

from diagkit.checks.learning.loss_is_averaged import loss_is_averaged
from diagkit.evidence.learning import RateTrial
from diagkit.finding import Verdict
from diagkit.probes.loss_scale import loss_scale

TOO_HIGH = RateTrial(60, 900, 2.3, 9.9, [0.1, 10.0], [1.0, 50.0])
FINE = RateTrial(60, 900, 2.3, 1.0, [0.1, 10.0], [1.5, 50.0])


def judged(reduction, kind=torch.optim.SGD, trial=TOO_HIGH):
    model = nn.Linear(4, 3)
    batches = [(torch.randn(8, 4), torch.randint(3, (8,)))]
    loss = nn.CrossEntropyLoss(reduction=reduction)
    return loss_is_averaged(loss_scale(model, batches, loss, kind(model.parameters(), lr=0.1)), trial)


def test_a_sum_that_hurts_fails():
    assert judged("sum").faults == ("gradient_scale",)
    assert judged("mean").verdict is Verdict.PASS


def test_a_sum_that_does_not_hurt_is_skipped():
    assert judged("sum", trial=FINE).verdict is Verdict.SKIP
    assert judged("sum", kind=torch.optim.Adam).verdict is Verdict.SKIP
