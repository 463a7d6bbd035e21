import torch
from torch import nn

from diagkit.checks.learning.units_leave_room import units_leave_room
from diagkit.finding import Verdict
from diagkit.probes.unit_activity import unit_activity
from diagkit.subject import NotGiven


def judged(model, size=1.0):
    torch.manual_seed(0)
    return units_leave_room(unit_activity(model, model, [(size * torch.randn(300, 4), torch.zeros(300))]))


def test_saturated_hidden_units_fail():
    model = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
    assert judged(model, size=1000.0).faults == ("saturated_units",)
    assert judged(model).verdict is Verdict.PASS


def test_the_output_and_gates_do_not_count():
    assert judged(nn.Sequential(nn.Linear(4, 1), nn.Sigmoid()), size=1000.0).verdict is Verdict.SKIP
    try:
        judged(nn.LSTMCell(4, 3), size=1000.0)
    except NotGiven as reason:
        assert "no relu" in str(reason)
