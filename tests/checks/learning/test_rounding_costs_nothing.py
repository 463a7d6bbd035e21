import copy

import pytest
import torch
from torch import nn

from diagkit.checks.learning.rounding_costs_nothing import rounding_costs_nothing
from diagkit.evidence.learning import FormatTrial
from diagkit.finding import Verdict
from diagkit.probes.format_trial import format_trial
from diagkit.subject import NotGiven


def trial(dtype, rate):
    torch.manual_seed(0)
    x = torch.randn(200, 4).to(dtype)
    model = nn.Linear(4, 1).to(dtype)
    batches = [(part, part.sum(1, keepdim=True)) for part in x.split(50)]
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    return format_trial(model, copy.deepcopy(model), batches, nn.functional.mse_loss, optimizer)


def test_swallowed_updates_cost_what_single_precision_would_gain():
    assert rounding_costs_nothing(trial(torch.bfloat16, 5e-3)).faults == ("low_precision",)


def test_single_precision_has_nothing_to_gain():
    with pytest.raises(NotGiven):
        trial(torch.float32, 1e-3)
    assert rounding_costs_nothing(FormatTrial(200, 0.0, 0.0)).verdict is Verdict.SKIP
