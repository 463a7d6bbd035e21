import torch
from torch import nn

from diagkit.checks.learning.number_format_keeps_updates import number_format_keeps_updates
from diagkit.finding import Verdict
from diagkit.probes.number_format import number_format


def judged(dtype, rate, offset=0.0):
    torch.manual_seed(0)
    model = nn.Linear(16, 8).to(dtype)
    x = (torch.randn(32, 16, dtype=torch.float64) + offset).to(dtype)
    batches = [(x, torch.randn(32, 8).to(dtype))]
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    return number_format_keeps_updates(number_format(model, batches, nn.functional.mse_loss, optimizer))


def test_small_updates_of_half_precision_weights_are_lost():
    assert judged(torch.bfloat16, 1e-5).faults == ("low_precision",)
    assert judged(torch.bfloat16, 1e-1).verdict is Verdict.PASS
    assert judged(torch.float32, 1e-5).verdict is Verdict.PASS


def test_large_offsets_lose_the_data():
    assert judged(torch.float32, 1e-3, 1e7).faults == ("low_precision",)
    assert judged(torch.float64, 1e-3, 1e7).verdict is Verdict.PASS
