import copy

import torch
from torch import nn

from diagkit.checks.learning.fit_follows_the_loss import fit_follows_the_loss
from diagkit.evidence.learning import FitAndLoss
from diagkit.finding import Verdict
from diagkit.probes.fit_and_loss import fit_and_loss


def judged(sign, loss, classes):
    torch.manual_seed(0)
    x = torch.randn(200, 4)
    y = x[:, :classes].argmax(1) if classes > 1 else (x[:, :1] > 0).float() if classes else x[:, :1]
    model = nn.Linear(4, max(classes, 1))
    trained = copy.deepcopy(model)
    optimizer = torch.optim.SGD(trained.parameters(), lr=1.0)
    for _ in range(30):
        optimizer.zero_grad()
        (sign * loss(trained(x), y)).backward()
        optimizer.step()
    return fit_follows_the_loss(fit_and_loss(model, trained, [(x, y)], lambda o, t: sign * loss(o, t)))


def test_a_loss_with_the_wrong_sign_fails():
    assert judged(-1, nn.functional.cross_entropy, 3).faults == ("wrong_sign",)
    assert judged(-1, nn.functional.binary_cross_entropy_with_logits, 1).faults == ("wrong_sign",)
    assert judged(-1, nn.functional.mse_loss, 0).faults == ("wrong_sign",)


def test_the_right_sign_passes():
    assert judged(1, nn.functional.cross_entropy, 3).verdict is Verdict.PASS
    assert judged(1, nn.functional.binary_cross_entropy_with_logits, 1).verdict is Verdict.PASS


def test_too_few_and_a_loss_that_did_not_fall_are_skipped():
    assert fit_follows_the_loss(FitAndLoss(20, "accuracy", 2.0, 1.0, 0.5, 0.0, 0.5)).verdict is Verdict.SKIP
    assert fit_follows_the_loss(FitAndLoss(900, "accuracy", 2.0, float("nan"), 0.5, 0.0, 0.5)).verdict is Verdict.SKIP
