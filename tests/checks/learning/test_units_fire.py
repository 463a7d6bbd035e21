import torch
from torch import nn

from diagkit.checks.learning.units_fire import units_fire
from diagkit.finding import Verdict
from diagkit.probes.unit_activity import unit_activity


class Net(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.a, self.b = nn.Linear(4, 32), nn.Linear(32, 1)
        nn.init.constant_(self.a.bias, bias)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def judged(model, rows=500, shape=(4,)):
    torch.manual_seed(0)
    return units_fire(unit_activity(model, model, [(torch.randn(rows, *shape), torch.zeros(rows))]))


def test_dead_units_fail_also_without_a_module():
    assert judged(Net(-20.0)).faults == ("dead_units",)
    assert judged(Net(0.0)).verdict is Verdict.PASS


def test_few_examples_say_nothing():
    assert judged(Net(-20.0), rows=16).verdict is Verdict.SKIP


def test_an_output_that_is_zero_is_no_hidden_unit():
    model = nn.Sequential(nn.Linear(4, 1), nn.ReLU())
    nn.init.constant_(model[0].bias, -20.0)
    assert judged(model).verdict is Verdict.SKIP


def test_channels_of_a_convolution():
    model = nn.Sequential(nn.Conv1d(2, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 1))
    nn.init.constant_(model[0].bias, -20.0)
    assert judged(model, shape=(2, 10)).faults == ("dead_units",)
