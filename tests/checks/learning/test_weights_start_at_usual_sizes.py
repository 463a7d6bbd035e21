import torch
from torch import nn

from diagkit.checks.learning.weights_start_at_usual_sizes import weights_start_at_usual_sizes
from diagkit.finding import Verdict
from diagkit.probes.weight_distribution import weight_distribution


def judged(change, model=None):
    torch.manual_seed(0)
    model = model or nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 4))
    with torch.no_grad():
        for p in model.parameters():
            if p.dim() > 1:
                change(p)
    return weights_start_at_usual_sizes(weight_distribution(model))


def test_unusual_sizes_fail():
    for change in (
        lambda p: p.normal_(),
        lambda p: p.fill_(0.1),
        lambda p: p.normal_(std=1e-5),
        lambda p: p[0, 0].fill_(1e4),
    ):
        assert judged(change).faults == ("bad_initialization",)
    assert judged(lambda p: p.fill_(float("nan"))).faults == ("nonfinite_values",)


def test_usual_sizes_pass():
    for change in (
        nn.init.kaiming_normal_,
        nn.init.xavier_uniform_,
        nn.init.orthogonal_,
        lambda p: p.normal_(std=0.02),
        lambda p: None,
    ):
        assert judged(change).verdict is Verdict.PASS


def test_a_shared_embedding_counts_as_a_layer_and_a_plain_one_does_not():
    model = nn.Sequential(nn.Embedding(50, 64), nn.Linear(64, 50, bias=False))
    assert judged(lambda p: None, model).verdict is Verdict.PASS
    model[1].weight = model[0].weight
    assert judged(lambda p: None, model).faults == ("bad_initialization",)
    assert judged(lambda p: None, nn.Embedding(5, 5)).verdict is Verdict.SKIP
