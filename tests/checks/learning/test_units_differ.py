import copy

import torch
from torch import nn

from diagkit.checks.learning.units_differ import units_differ
from diagkit.finding import Verdict
from diagkit.probes.unit_symmetry import unit_symmetry


def judged(change, steps=3):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    change(model)
    trained = copy.deepcopy(model)
    x, y = torch.randn(32, 4), torch.randint(3, (32,))
    optimizer = torch.optim.SGD(trained.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.cross_entropy(trained(x), y).backward()
        optimizer.step()
    return units_differ(unit_symmetry(model, trained))


def test_units_that_start_equal_stay_equal():
    assert judged(lambda m: nn.init.constant_(m[0].bias, 0.1)).verdict is Verdict.PASS
    equal = lambda m: [nn.init.constant_(p, 0.1) for p in m.parameters()]  # noqa: E731
    assert judged(equal).faults == ("bad_initialization",)
    assert judged(equal, steps=0).verdict is Verdict.SKIP


def test_a_last_layer_that_starts_at_zero_passes():
    assert judged(lambda m: nn.init.zeros_(m[2].weight)).verdict is Verdict.PASS
