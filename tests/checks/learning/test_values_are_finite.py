import torch
from torch import nn

from diagkit.checks.learning.values_are_finite import values_are_finite
from diagkit.finding import Verdict
from diagkit.probes.finite_values import finite_values


class Log(nn.Module):
    def forward(self, x):
        return x.log()


class Length(nn.Module):
    def forward(self, x):
        return (x * 0).square().sum(1, keepdim=True).sqrt() + x[:, :1]


def judged(model, x):
    return values_are_finite(finite_values(model, [(x, torch.zeros(len(x), 1))], nn.functional.mse_loss))


def test_the_first_module_is_named():
    torch.manual_seed(0)
    finding = judged(nn.Sequential(nn.Linear(2, 4), Log(), nn.Linear(4, 1)), torch.randn(8, 2))
    assert finding.faults == ("nonfinite_values",) and "is 1" in finding.text


def test_a_gradient_alone():
    finding = judged(nn.Sequential(nn.Linear(2, 4), Length()), torch.randn(8, 2))
    assert finding.faults == ("nonfinite_values",) and "0.weight" in finding.text


def test_healthy_and_data_that_are_not_finite():
    assert judged(nn.Linear(2, 1), torch.randn(8, 2)).verdict is Verdict.PASS
    assert judged(nn.Linear(2, 1), torch.full((8, 2), float("nan"))).verdict is Verdict.SKIP
