import pytest
import torch
from torch import nn

from diagkit.checks.wrong_thing.training_reaches_other_learners import training_reaches_other_learners
from diagkit.evidence.fit import IndependentLearner
from diagkit.probes.independent_learner import independent_learner
from diagkit.subject import NotGiven


def ring(count: int, seed: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.randn(count, 2, generator=torch.Generator().manual_seed(seed))
    return [(x, (x.norm(dim=1) > 1.2).long())]


class Knows(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        far = x.norm(dim=1, keepdim=True) - 1.2
        return torch.cat([-far, far], 1)


def test_a_line_cannot_express_a_ring() -> None:
    torch.manual_seed(0)
    found = independent_learner(nn.Linear(2, 2), ring(400, 1), ring(200, 2), "classification")
    assert training_reaches_other_learners(found).faults == ("underfitting",)


def test_a_model_that_knows_the_ring_passes() -> None:
    assert training_reaches_other_learners(independent_learner(Knows(), ring(400, 1), ring(200, 2), "classification"))


def test_a_noisy_lead_passes() -> None:
    assert training_reaches_other_learners(IndependentLearner("a random forest", 60, 50, 0.6, 0.2, 0.3, 0.2))


def test_sequences_are_not_asked() -> None:
    with pytest.raises(NotGiven):
        independent_learner(nn.Linear(2, 2), ring(60, 1), ring(60, 2), "seq2seq")
