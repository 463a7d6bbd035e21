import torch
from torch import nn

from diagkit.checks.learning.rate_suits_the_task import rate_suits_the_task
from diagkit.evidence.learning import RateTrial
from diagkit.evidence.training import History
from diagkit.finding import Verdict
from diagkit.probes.rate_trial import rate_trial


def trial(rate):
    torch.manual_seed(0)
    model, trained = nn.Linear(4, 1), nn.Linear(4, 1)
    trained.load_state_dict(model.state_dict())
    x = torch.randn(128, 4)
    batches = list(zip(x.split(32), x.sum(1, keepdim=True).split(32), strict=True))
    losses = []
    optimizer = torch.optim.SGD(trained.parameters(), lr=rate)
    for x, y in batches * 20:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(trained(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    history = History(losses, [rate] * len(losses), rate, [], [])
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    return rate_trial(model, trained, batches, nn.functional.mse_loss, optimizer, history)


def test_rates_that_are_off_by_far_fail():
    assert rate_suits_the_task(trial(1e-4)).faults == ("learning_rate_too_low",)
    assert rate_suits_the_task(trial(5.0)).faults == ("learning_rate_too_high",)


def test_edges():
    nan = float("nan")
    assert rate_suits_the_task(RateTrial(60, 900, 1.0, 1.0, [0.1, 10.0], [nan, nan])).verdict is Verdict.PASS
    assert rate_suits_the_task(RateTrial(60, 900, 1.0, nan, [0.1], [0.5])).faults == ("learning_rate_too_high",)
    assert rate_suits_the_task(RateTrial(60, 900, 1.0, 0.98, [10.0], [0.95])).verdict is Verdict.PASS
