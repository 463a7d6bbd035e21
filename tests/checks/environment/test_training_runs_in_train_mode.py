from typing import Any

import pytest
import torch
from torch import nn

from diagkit.checks.environment.training_runs_in_train_mode import training_runs_in_train_mode
from diagkit.probes.training_modes import training_modes
from diagkit.subject import NotGiven

TRAIN = [(torch.randn(8, 4), torch.randn(8, 1))]


def net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 1))


def eval_step(model: nn.Module, batch: Any, loss_fn: Any, optimizer: torch.optim.Optimizer) -> float:
    model.eval()
    optimizer.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    return float(loss.detach())


def test_a_step_in_eval_mode_fails() -> None:
    model = net()
    found = training_modes(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model.parameters(), 0.1), eval_step)
    assert found.in_eval == ["1", "2"]
    assert training_runs_in_train_mode(found).faults == ("training_in_eval_mode",)


def test_the_usual_step_passes_and_leaves_the_model() -> None:
    model = net().eval()
    before = model.get_parameter("0.weight").clone()
    assert training_runs_in_train_mode(
        training_modes(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model.parameters(), 0.1))
    )
    assert not model.training
    assert torch.equal(model.get_parameter("0.weight"), before)


def test_a_frozen_backbone_may_stay_in_eval_mode() -> None:
    model = nn.Sequential(net(), nn.Linear(1, 1))
    model[0].requires_grad_(False)
    found = training_modes(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model[1].parameters(), 0.1), eval_step)
    assert training_runs_in_train_mode(found)


def test_without_dropout_it_is_not_asked() -> None:
    model = nn.Linear(4, 1)
    with pytest.raises(NotGiven, match="neither dropout"):
        training_modes(model, TRAIN, nn.MSELoss(), torch.optim.SGD(model.parameters(), 0.1))
