"""`data/training_leaves_its_batches_alone`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from diagkit.checks.data.training_leaves_its_batches_alone import training_leaves_its_batches_alone
from diagkit.finding import Finding
from diagkit.probes.batch_change import batch_change
from diagkit.subject import NotGiven


class Centres(nn.Module):
    """A linear layer behind a shift of its input."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.linear, self.how = nn.Linear(4, 1), how

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.how == "in place":
            x.sub_(1.0)
        if self.how == "once":
            x.clamp_(-1, 1)
        return self.linear(x)  # type: ignore[no-any-return]


def judged(how: str) -> Finding:
    model = Centres(how)
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(3)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return training_leaves_its_batches_alone(batch_change(model, batches, nn.MSELoss(), optimizer))


def test_a_model_that_shifts_its_input_in_place_is_found() -> None:
    assert judged("in place").faults == ("data_mutated",)


def test_no_change_and_one_that_is_not_repeated_pass() -> None:
    assert judged("not")
    assert judged("once")


def test_a_loader_that_builds_its_batches_anew_is_not_asked() -> None:
    model = Centres("in place")
    loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 1)), 4)
    with pytest.raises(NotGiven):
        batch_change(model, loader, nn.MSELoss(), torch.optim.SGD(model.parameters(), lr=0.1))
