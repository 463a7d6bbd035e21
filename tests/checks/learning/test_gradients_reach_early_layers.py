import torch
from torch import nn

from diagkit.checks.learning.gradients_reach_early_layers import gradients_reach_early_layers
from diagkit.evidence.learning import GradientSpread
from diagkit.finding import Verdict
from diagkit.probes.gradient_spread import gradient_spread


def judged(activation, depth=12):
    torch.manual_seed(0)
    layers = [module for _ in range(depth) for module in (nn.Linear(16, 16), activation())]
    model = nn.Sequential(*layers, nn.Linear(16, 4))
    batches = [(torch.randn(32, 16), torch.randint(4, (32,)))]
    return gradients_reach_early_layers(gradient_spread(model, model, batches, nn.functional.cross_entropy))


def test_deep_sigmoids_fail():
    assert judged(nn.Sigmoid).faults == ("vanishing_gradients",)
    assert judged(nn.SELU).verdict is Verdict.PASS
    assert judged(nn.Sigmoid, depth=2).verdict is Verdict.PASS


def test_nan_is_skipped():
    nan = float("nan")
    assert gradients_reach_early_layers(GradientSpread(["a"], [nan], [nan])).verdict is Verdict.SKIP
    assert gradients_reach_early_layers(GradientSpread(["a"], [0.0], [0.0])).verdict is Verdict.SKIP
