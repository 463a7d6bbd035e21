import torch
from torch import nn

from diagkit.checks.learning.gradients_reach_all_parameters import gradients_reach_all_parameters
from diagkit.finding import Verdict
from diagkit.probes.gradient_flow import gradient_flow, looks_fresh


class Two(nn.Module):
    def __init__(self, cut=False, unused=False):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 1)
        self.cut = cut
        if unused:
            self.other = nn.Linear(8, 1)

    def forward(self, x):
        h = self.a(x).tanh()
        return self.b(h.detach() if self.cut else h)


def flow(model, **more):
    torch.manual_seed(0)
    batches = [(torch.randn(16, 8), torch.randn(16, 1))]
    values = [p.detach().clone() for p in model.parameters()]
    evidence = gradient_flow(model, batches, nn.functional.mse_loss, **more)
    assert all(torch.equal(a, b) for a, b in zip(values, model.parameters(), strict=True))
    assert all(p.grad is None for p in model.parameters())
    return gradients_reach_all_parameters(evidence)


def test_a_cut_graph_fails_and_an_unused_head_does_not():
    assert flow(Two(cut=True)).faults == ("detached_graph",)
    assert flow(Two(unused=True)).verdict is Verdict.PASS
    assert flow(Two()).verdict is Verdict.PASS


def test_zero_initialized_branches_are_live():
    model = Two()
    nn.init.zeros_(model.b.weight)
    assert flow(model).verdict is Verdict.PASS


def test_fresh_frozen_layers_fail_declared_and_trained_ones_do_not():
    model = Two()
    model.a.requires_grad_(False)
    assert flow(model).faults == ("frozen_parameters",)
    assert flow(model, expected_frozen=["a.*"]).verdict is Verdict.PASS
    with torch.no_grad():
        model.a.weight.copy_(torch.randn(16, 8) ** 3)
    assert flow(model).verdict is Verdict.PASS


def test_a_loss_without_graph_fails():
    torch.manual_seed(0)
    model = Two()
    batches = [(torch.randn(16, 8), torch.randn(16, 1))]
    evidence = gradient_flow(model, batches, lambda o, t: ((o.detach() - t) ** 2).mean().requires_grad_())
    assert gradients_reach_all_parameters(evidence).faults == ("detached_graph",)


def test_initializers_look_fresh():
    torch.manual_seed(0)
    assert looks_fresh(torch.randn(64, 64)) and looks_fresh(torch.rand(64, 64)) and looks_fresh(torch.zeros(9, 9))
    assert not looks_fresh(torch.randn(64, 64) ** 3)
