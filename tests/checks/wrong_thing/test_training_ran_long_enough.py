import copy
import math

import torch
from torch import nn

from diagkit.checks.wrong_thing.training_ran_long_enough import training_ran_long_enough
from diagkit.evidence.fit import Continuation
from diagkit.evidence.training import History
from diagkit.probes.continuation import continuation


def test_a_model_before_its_training_gains_by_it() -> None:
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    train = [(x, x.sum(1, keepdim=True))]
    model = nn.Linear(4, 1)
    history = History([1.0] * 20, [0.05] * 20, 0.05, [20], [9.9])
    optimizer = torch.optim.SGD(model.parameters(), 0.05)
    found = continuation(model, copy.deepcopy(model), train, train, nn.MSELoss(), optimizer, history)
    assert training_ran_long_enough(found).faults == ("undertrained",)


def test_what_is_nearly_done_may_still_gain() -> None:
    assert training_ran_long_enough(Continuation(300, 100, 2.3, 0.3, 0.1, 0.3, 0.1, 1.0))


def test_only_memorizing_more_is_no_gain() -> None:
    assert training_ran_long_enough(Continuation(300, 100, 2.3, 1.3, 1.3, 1.0, 0.2, 1.0))


def test_nan_fails_and_no_scale_is_skipped() -> None:
    assert not training_ran_long_enough(Continuation(9, 9, 2.3, math.nan, math.nan, math.nan, math.nan, 1.0))
    assert str(training_ran_long_enough(Continuation(9, 9, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0))).startswith("SKIP")
