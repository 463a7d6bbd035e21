import torch
from torch import nn

from diagkit.checks.learning.optimizer_owns_all_parameters import optimizer_owns_all_parameters
from diagkit.finding import Verdict
from diagkit.probes.ownership import ownership


class Tower(nn.Module):
    def __init__(self, keep):
        super().__init__()
        self.layers = keep([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).tanh()
        return self.head(x)


def owned(model):
    batches = [(torch.randn(4, 3), torch.randn(4, 1))]
    return ownership(model, torch.optim.SGD(model.parameters(), lr=0.1), batches, nn.functional.mse_loss)


def test_layers_in_a_plain_list_fail():
    finding = optimizer_owns_all_parameters(owned(Tower(list)))
    assert finding.faults == ("parameters_not_in_optimizer",) and "layers[0].weight" in finding.text
    assert optimizer_owns_all_parameters(owned(Tower(lambda its: {"a": its}["a"]))).verdict is Verdict.FAIL
    assert optimizer_owns_all_parameters(owned(Tower(nn.ModuleList))).verdict is Verdict.PASS


def test_a_frozen_teacher_in_a_list_passes():
    model = nn.Linear(3, 1)
    model.teacher = [nn.Linear(3, 1).requires_grad_(False)]
    model.other = [nn.Linear(3, 1)]  # not used by the loss
    assert optimizer_owns_all_parameters(owned(model)).verdict is Verdict.PASS


def test_a_layer_replaced_afterwards_fails():
    model = Tower(nn.ModuleList)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(3, 1)
    finding = optimizer_owns_all_parameters(ownership(model, optimizer))
    assert finding.verdict is Verdict.FAIL and "head.weight, head.bias" in finding.text
    declared = ownership(model, optimizer, expected_frozen=["head.*"])
    assert optimizer_owns_all_parameters(declared).verdict is Verdict.PASS
