import torch
from torch import nn

from diagkit.checks.learning.gradients_are_cleared import gradients_are_cleared
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
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = [p.clone() for p in model.parameters()]
    evidence = step_anatomy(model, batches, nn.functional.mse_loss, optimizer, step)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))
    assert "step" not in vars(optimizer) and not optimizer.state
    return evidence


def forgetful(model, batch, loss_fn, optimizer):
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    return loss.item()


def careful(model, batch, loss_fn, optimizer):
    optimizer.zero_grad()
    return forgetful(model, batch, loss_fn, optimizer)


def clipped_and_forgetful(model, batch, loss_fn, optimizer):
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    return loss.item()


def test_a_step_that_never_clears_fails_and_one_that_does_passes():
    assert gradients_are_cleared(anatomy(forgetful)).faults == ("missing_zero_grad",)
    assert gradients_are_cleared(anatomy(clipped_and_forgetful)).faults == ("missing_zero_grad",)
    assert gradients_are_cleared(anatomy(careful)).verdict is Verdict.PASS


def test_a_tie_passes_and_nan_is_skipped():
    assert gradients_are_cleared(StepAnatomy(leftover=0.9)).verdict is Verdict.PASS
    assert gradients_are_cleared(StepAnatomy(leftover=float("nan"))).verdict is Verdict.SKIP


def test_the_direction_of_a_single_number_says_nothing():
    model, batches = toy()
    for p in model.parameters():
        p.requires_grad_(False)
    model[2].bias.requires_grad_(True)
    optimizer = torch.optim.SGD([model[2].bias], lr=0.1)
    evidence = step_anatomy(model, batches, nn.functional.mse_loss, optimizer, careful)
    assert gradients_are_cleared(evidence).verdict is Verdict.SKIP
