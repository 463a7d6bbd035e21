import torch
from torch import nn

from diagkit.checks.learning.gradients_keep_their_scale import gradients_keep_their_scale
from diagkit.evidence.learning import StepAnatomy
from diagkit.finding import Verdict
from diagkit.probes.step_anatomy import step_anatomy


def toy():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    batches = list(zip(x.split(16), x[:, :1].split(16), strict=True))
    return model, batches


class Gather:
    def __init__(self, rounds, divisor):
        self.rounds, self.divisor, self.calls = rounds, divisor, 0

    def __call__(self, model, batch, loss_fn, optimizer):
        loss = loss_fn(model(batch[0]), batch[1])
        (loss / self.divisor).backward()
        self.calls += 1
        if self.calls % self.rounds == 0:
            optimizer.step()
            optimizer.zero_grad()
        return loss.item()


def anatomy(rounds, divisor, kind=torch.optim.SGD):
    model, batches = toy()
    optimizer = kind(model.parameters(), lr=0.1)
    return step_anatomy(model, batches, nn.functional.mse_loss, optimizer, Gather(rounds, divisor))


def test_sums_fail_and_means_pass():
    assert gradients_keep_their_scale(anatomy(8, 1)).faults == ("gradient_scale",)
    assert gradients_keep_their_scale(anatomy(2, 1)).faults == ("gradient_scale",)
    assert gradients_keep_their_scale(anatomy(8, 1, torch.optim.Adam)).faults == ("gradient_scale",)
    assert gradients_keep_their_scale(anatomy(8, 8)).verdict is Verdict.PASS


def test_a_constant_factor_matters_to_sgd_alone():
    assert gradients_keep_their_scale(anatomy(1, 1e-4)).faults == ("gradient_scale",)
    assert gradients_keep_their_scale(anatomy(1, 1e-4, torch.optim.Adam)).verdict is Verdict.PASS


def test_the_state_of_the_step_is_not_used_up():
    model, batches = toy()
    step = Gather(8, 8)
    step_anatomy(model, batches, nn.functional.mse_loss, torch.optim.SGD(model.parameters(), lr=0.1), step)
    assert step.calls == 0


def test_nothing_to_compare_is_skipped():
    assert gradients_keep_their_scale(StepAnatomy(scales=[], alignments=[])).verdict is Verdict.SKIP
