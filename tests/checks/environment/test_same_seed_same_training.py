import math
import time

import torch
from torch import nn

from diagkit.checks.environment.same_seed_same_training import same_seed_same_training
from diagkit.evidence.environment import RepeatedSteps
from diagkit.probes.repeated_steps import repeated_steps

TRAIN = [(torch.ones(8, 4), torch.zeros(8, 1))]


class FromTheClock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        generator = torch.Generator().manual_seed(time.perf_counter_ns())
        out: torch.Tensor = self.layer(x + torch.randn(x.shape, generator=generator))
        return out


def test_a_seed_from_the_clock_fails() -> None:
    model = FromTheClock()
    found = repeated_steps(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model.parameters(), 0.1))
    assert same_seed_same_training(found).faults == ("nondeterminism",)


def test_dropout_repeats_from_its_seed_and_the_model_stays() -> None:
    model = nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 1))
    before = model.get_parameter("1.weight").clone()
    assert same_seed_same_training(repeated_steps(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model.parameters(), 0.1)))
    assert torch.equal(model.get_parameter("1.weight"), before)


def test_nan_alone_cannot_be_compared() -> None:
    assert str(same_seed_same_training(RepeatedSteps(1, [[math.nan], [math.nan]]))).startswith("SKIP")
