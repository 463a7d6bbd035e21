"""`data/any_batch_size_will_do`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn

from diagkit.checks.data.any_batch_size_will_do import any_batch_size_will_do
from diagkit.finding import Finding
from diagkit.probes.odd_batch import odd_batch
from diagkit.subject import NotGiven


class Reshapes(nn.Module):
    """A linear layer behind a reshape."""

    def __init__(self, *shape: int) -> None:
        super().__init__()
        self.shape, self.linear = shape, nn.Linear(6, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x.reshape(*self.shape))  # type: ignore[no-any-return]


def judged(model: nn.Module, rows: int = 32) -> Finding:
    batches = [(torch.randn(rows, 6), torch.randn(rows, 1))]
    return any_batch_size_will_do(odd_batch(model, batches, nn.MSELoss()))


def test_a_size_written_into_the_model_is_found() -> None:
    assert judged(Reshapes(32, 6)).faults == ("axis_mixup",)
    assert judged(Reshapes(-1, 6))


def test_small_batches_and_models_that_fail_anyway_are_not_asked() -> None:
    with pytest.raises(NotGiven):
        judged(Reshapes(-1, 6), rows=5)
    with pytest.raises(NotGiven):
        judged(Reshapes(-1, 5))
