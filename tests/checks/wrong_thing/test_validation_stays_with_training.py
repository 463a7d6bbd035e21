import math

import torch
from torch import nn

from diagkit.checks.wrong_thing.validation_stays_with_training import validation_stays_with_training
from diagkit.evidence.fit import Fit
from diagkit.evidence.training import History
from diagkit.probes.fit import fit


def test_the_scale_of_a_regression_does_not_matter() -> None:
    for scale in (1e-4, 1.0, 1e4):
        assert validation_stays_with_training(Fit(1.0 * scale, 0.4 * scale, 0.5 * scale, 0.5 * scale, 300, False))
        assert not validation_stays_with_training(Fit(1.0 * scale, 0.0, 0.8 * scale, 0.5 * scale, 30, False))


def test_nan_fails_and_no_scale_is_skipped() -> None:
    assert not validation_stays_with_training(Fit(1.0, 0.1, math.nan, 0.1, 30, True))
    assert str(validation_stays_with_training(Fit(0.0, 0.0, 0.0, 0.0, 30, False))).startswith("SKIP")


def test_the_probe_knows_a_cross_entropy() -> None:
    torch.manual_seed(0)
    x, y = torch.randn(30, 4), torch.randint(10, (30,))
    model, history = nn.Linear(4, 10), History([2.3], [0.1], 0.1, [1], [2.3])
    found = fit(model, model, [(x, y)], [(x, y)], nn.CrossEntropyLoss(), history, "classification")
    assert found.nats
    assert validation_stays_with_training(found)
