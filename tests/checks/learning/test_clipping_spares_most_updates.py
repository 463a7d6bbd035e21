import torch
from torch import nn

from diagkit.checks.learning.clipping_spares_most_updates import clipping_spares_most_updates
from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Verdict
from diagkit.probes.step_anatomy import step_anatomy


def toy():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    batches = list(zip(x.split(16), x[:, :1].split(16), strict=True))
    return model, batches


def anatomy(clip, kind=torch.optim.SGD):
    def step(model, batch, loss_fn, optimizer):
        optimizer.zero_grad()
        loss = loss_fn(model(batch[0]), batch[1])
        loss.backward()
        clip(model.parameters())
        optimizer.step()
        return loss.item()

    model, batches = toy()
    return step_anatomy(model, batches, nn.functional.mse_loss, kind(model.parameters(), lr=0.1), step)


def by_norm(limit):
    return lambda parameters: nn.utils.clip_grad_norm_(parameters, limit)


def by_value(limit):
    return lambda parameters: nn.utils.clip_grad_value_(parameters, limit)


def test_tiny_limits_fail():
    assert clipping_spares_most_updates(anatomy(by_norm(1e-4))).faults == ("gradient_clipped_away",)
    assert clipping_spares_most_updates(anatomy(by_value(1e-5))).faults == ("gradient_clipped_away",)


def test_usual_limits_and_adam_pass():
    assert clipping_spares_most_updates(anatomy(by_norm(1.0))).verdict is Verdict.PASS
    assert clipping_spares_most_updates(anatomy(by_norm(0.1))).verdict is Verdict.PASS
    assert clipping_spares_most_updates(anatomy(by_norm(1e-3), torch.optim.Adam)).verdict is Verdict.PASS
    assert clipping_spares_most_updates(anatomy(by_norm(1e-7), torch.optim.Adam)).verdict is Verdict.FAIL


def test_equal_batches_are_no_clipping():
    same = StepAnatomy(norms=[1.0] * 4, clean_norms=[1.0] * 4)
    assert not same.clipped and clipping_spares_most_updates(same).verdict is Verdict.PASS
    assert clipping_spares_most_updates(StepAnatomy(norms=[], clean_norms=[])).verdict is Verdict.PASS
