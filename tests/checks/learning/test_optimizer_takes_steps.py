import torch
from torch import nn

from diagkit.checks.learning.optimizer_takes_steps import optimizer_takes_steps
from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Verdict
from diagkit.probes.step_anatomy import step_anatomy


def toy():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    batches = list(zip(x.split(16), x[:, :1].split(16), strict=True))
    return model, batches


def anatomy(step):
    model, batches = toy()
    return step_anatomy(model, batches, nn.functional.mse_loss, torch.optim.SGD(model.parameters(), lr=0.1), step)


def idle(model, batch, loss_fn, optimizer):
    optimizer.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    return loss.item()


def wiped(model, batch, loss_fn, optimizer):
    loss = idle(model, batch, loss_fn, optimizer)
    optimizer.zero_grad()
    optimizer.step()
    return loss


def by_hand(model, batch, loss_fn, optimizer):
    loss = idle(model, batch, loss_fn, optimizer)
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
    return loss


def test_steps_that_throw_gradients_away_fail():
    assert optimizer_takes_steps(anatomy(idle)).faults == ("missing_optimizer_step",)
    assert optimizer_takes_steps(anatomy(wiped)).faults == ("missing_optimizer_step",)


def test_healthy_steps():
    assert optimizer_takes_steps(anatomy(None)).verdict is Verdict.PASS
    assert optimizer_takes_steps(anatomy(by_hand)).verdict is Verdict.SKIP


def test_too_few_calls_say_nothing():
    assert optimizer_takes_steps(StepAnatomy(calls=64, steps=0)).verdict is Verdict.SKIP
    assert optimizer_takes_steps(StepAnatomy(calls=65, steps=0)).verdict is Verdict.FAIL
