import torch
from torch import nn

from diagkit.checks.learning.gradients_stay_moderate import gradients_stay_moderate
from diagkit.evidence.learning import GradientSpread
from diagkit.finding import Verdict
from diagkit.probes.gradient_spread import gradient_spread


class Reader(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.rnn, self.out = nn.RNN(2, 16, nonlinearity="relu", batch_first=True), nn.Linear(16, 1)
        nn.init.orthogonal_(self.rnn.weight_hh_l0, gain)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1])


def judged(gain):
    torch.manual_seed(0)
    model = Reader(gain)
    batches = [(torch.randn(16, 40, 2), torch.randn(16, 1))]
    return gradients_stay_moderate(gradient_spread(model, model, batches, nn.functional.mse_loss))


def test_an_exploding_recurrence_fails():
    assert judged(1.5).faults == ("exploding_gradients",)
    assert judged(1.0).verdict is Verdict.PASS


def test_infinity_fails_and_nan_is_skipped():
    assert gradients_stay_moderate(GradientSpread(["a"], [float("inf")], [1.0])).verdict is Verdict.FAIL
    assert gradients_stay_moderate(GradientSpread(["a"], [float("nan")], [1.0])).verdict is Verdict.SKIP
