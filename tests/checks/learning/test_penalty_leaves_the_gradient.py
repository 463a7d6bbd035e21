import torch
from torch import nn

from diagkit.checks.learning.penalty_leaves_the_gradient import penalty_leaves_the_gradient
from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Verdict
from diagkit.probes.step_anatomy import step_anatomy


def toy():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    batches = list(zip(x.split(16), x[:, :1].split(16), strict=True))
    return model, batches


def anatomy(weight, power):
    def step(model, batch, loss_fn, optimizer):
        optimizer.zero_grad()
        loss = loss_fn(model(batch[0]), batch[1])
        loss = loss + weight * sum((p.abs() ** power).sum() for p in model.parameters())
        loss.backward()
        optimizer.step()
        return loss.item()

    model, batches = toy()
    return step_anatomy(model, batches, nn.functional.mse_loss, torch.optim.SGD(model.parameters(), lr=0.1), step)


def test_heavy_penalties_fail_and_light_ones_pass():
    assert penalty_leaves_the_gradient(anatomy(10.0, 2)).faults == ("excessive_regularization",)
    assert penalty_leaves_the_gradient(anatomy(10.0, 1)).faults == ("excessive_regularization",)
    assert penalty_leaves_the_gradient(anatomy(1e-3, 2)).verdict is Verdict.PASS


def test_a_tie_passes_and_nothing_is_skipped():
    assert penalty_leaves_the_gradient(StepAnatomy(penalties=[3.0])).verdict is Verdict.PASS
    assert penalty_leaves_the_gradient(StepAnatomy()).verdict is Verdict.SKIP
