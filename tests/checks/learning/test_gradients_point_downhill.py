import torch
from torch import nn

from diagkit.checks.learning.gradients_point_downhill import gradients_point_downhill
from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Verdict
from diagkit.probes.step_anatomy import step_anatomy


def toy():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    batches = list(zip(x.split(16), x[:, :1].split(16), strict=True))
    return model, batches


def uphill(model, batch, loss_fn, optimizer):
    optimizer.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    (-loss).backward()
    optimizer.step()
    return loss.item()


def anatomy(step=None, **settings):
    model, batches = toy()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, **settings)
    return step_anatomy(model, batches, nn.functional.mse_loss, optimizer, step)


def test_climbing_fails_and_descending_passes():
    assert gradients_point_downhill(anatomy(uphill)).faults == ("wrong_sign",)
    assert gradients_point_downhill(anatomy(maximize=True)).faults == ("wrong_sign",)
    assert gradients_point_downhill(anatomy(uphill, maximize=True)).verdict is Verdict.PASS
    assert gradients_point_downhill(anatomy()).verdict is Verdict.PASS


def test_nothing_to_compare_is_skipped():
    assert gradients_point_downhill(StepAnatomy(scales=[])).verdict is Verdict.SKIP
    nan = float("nan")
    assert gradients_point_downhill(StepAnatomy(scales=[nan], alignments=[nan])).verdict is Verdict.SKIP
