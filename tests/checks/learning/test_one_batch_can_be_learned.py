import torch
from torch import nn

from diagkit.checks.learning.one_batch_can_be_learned import one_batch_can_be_learned
from diagkit.evidence.learning import OneBatch
from diagkit.evidence.training import History
from diagkit.finding import Verdict
from diagkit.probes.one_batch import one_batch


def judged(model):
    torch.manual_seed(0)
    batches = [(torch.randn(16, 8), torch.randint(4, (16,)))]
    history = History([1.4], [0.1], 0.1, [], [])
    return one_batch_can_be_learned(one_batch(model, model, batches, nn.functional.cross_entropy, history))


class Blind(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 4)

    def forward(self, x):
        return 1e-6 * self.out(x)


def test_a_model_that_cannot_and_one_that_can():
    assert judged(Blind()).faults == ("underfitting",)
    assert judged(nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 4))).verdict is Verdict.PASS


def test_exploding_is_no_pass_but_a_loss_of_large_units_is():
    assert one_batch_can_be_learned(OneBatch(200, 5.0, 0.1, 0.9, 1e9)).faults == ("exploding_gradients",)
    assert one_batch_can_be_learned(OneBatch(200, 3e4, 1e3, 1.0, 5e3)).verdict is Verdict.PASS
