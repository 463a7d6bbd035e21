import torch
from torch import nn

from diagkit.checks.learning.batches_are_large_enough import batches_are_large_enough
from diagkit.finding import Verdict
from diagkit.probes.batch_sizes import batch_sizes


def judged(model, shape, sizes):
    batches = [(torch.randn(size, *shape), torch.zeros(size)) for size in sizes]
    return batches_are_large_enough(batch_sizes(model, batches))


def test_one_or_two_values_fail():
    flat = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    assert judged(flat, (3,), [2, 2, 2]).faults == ("batch_too_small",)
    assert judged(flat, (3,), [16, 16, 1]).faults == ("batch_too_small",)
    assert judged(flat, (3,), [16, 16, 2]).verdict is Verdict.PASS


def test_positions_count_and_other_normalizations_do_not_matter():
    assert judged(nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)), (1, 8, 8), [1, 1]).verdict is Verdict.PASS
    assert judged(nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)), (3,), [1, 1]).verdict is Verdict.SKIP
