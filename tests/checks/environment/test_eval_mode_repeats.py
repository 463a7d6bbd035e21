import torch
import torch.nn.functional as F
from torch import nn

from diagkit.checks.environment.eval_mode_repeats import eval_mode_repeats
from diagkit.evidence.environment import RepeatedForward
from diagkit.probes.repeated_forward import repeated_forward

TRAIN = [(torch.ones(8, 4), torch.zeros(8))]


class Forgets(nn.Module):
    """Dropout as a function, which is told the mode or not."""

    def __init__(self, told: bool) -> None:
        super().__init__()
        self.told, self.layer = told, nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = F.dropout(self.layer(x), 0.5, training=self.training if self.told else True)
        return out


def test_dropout_that_stays_on_is_named() -> None:
    model = nn.Sequential(nn.Linear(4, 4), Forgets(told=False))
    found = repeated_forward(model, TRAIN)
    assert (found.module, found.draws) == ("1", ["dropout"])
    assert eval_mode_repeats(found).faults == ("evaluation_in_train_mode",)


def test_dropout_that_is_told_the_mode_passes() -> None:
    assert eval_mode_repeats(repeated_forward(Forgets(told=True), TRAIN))


def test_draws_outside_of_torch_are_a_symptom() -> None:
    finding = eval_mode_repeats(RepeatedForward([], True, "model"))
    assert (finding.faults, finding.direct) == (("nondeterminism",), False)
