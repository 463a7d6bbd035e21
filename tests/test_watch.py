import math

import pytest
import torch
from torch import nn

from diagkit.watch import watch


def train(model, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(4, 3)).square().mean().backward()
        optimizer.step()


def test_the_first_and_every_nth_step_are_recorded_and_the_hooks_are_gone():
    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with watch(model, optimizer, every=3) as record:
        train(model, optimizer, 7)
    train(model, optimizer, 3)
    assert record.steps == [1, 4, 7]
    assert len(record.norms) == 3 and all(norm > 0 for norm in record.norms)
    assert list(record.ratios) == ["weight"] and len(record.ratios["weight"]) == 3
    assert not optimizer._optimizer_step_pre_hooks and not optimizer._optimizer_step_post_hooks


def test_the_ratio_is_that_of_the_update():
    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    before = model.weight.detach().clone()
    with watch(model, optimizer) as record:
        train(model, optimizer, 1)
    expected = math.log10(float((model.weight.detach() - before).std() / before.std()))
    assert record.ratios["weight"] == [pytest.approx(expected, abs=1e-4)]


def test_nothing_changes_the_training():
    torch.manual_seed(0)
    plain = nn.Linear(3, 2)
    watched = nn.Linear(3, 2)
    watched.load_state_dict(plain.state_dict())
    for model in (plain, watched):
        optimizer = torch.optim.Adam(model.parameters())
        if model is watched:
            with watch(model, optimizer, every=1):
                train(model, optimizer, 5)
        else:
            train(model, optimizer, 5)
    assert torch.equal(plain.weight, watched.weight)


def test_an_interval_of_zero_is_a_mistake():
    model = nn.Linear(3, 2)
    with (
        pytest.raises(ValueError, match="at least 1 step"),
        watch(model, torch.optim.SGD(model.parameters(), lr=0.1), every=0),
    ):
        pass
