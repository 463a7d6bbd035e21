import pytest
import torch
from torch import nn

from diagkit.checks.environment.frozen_weights_were_trained import frozen_weights_were_trained
from diagkit.probes.initial_traces import initial_traces
from diagkit.subject import NotGiven


def probe_net() -> nn.Sequential:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 32), nn.Linear(32, 2))
    model[:3].requires_grad_(False)
    return model


def head_only(model: nn.Sequential) -> torch.optim.Optimizer:
    return torch.optim.SGD(model[3].parameters(), 0.1)


def test_new_frozen_layers_are_named() -> None:
    model = probe_net()
    found = initial_traces(model, head_only(model))
    assert found.random == ["0.weight", "2.weight"]
    assert frozen_weights_were_trained(found).faults == ("weights_not_loaded",)


def test_frozen_in_the_optimizer_is_only_a_symptom() -> None:
    model = probe_net()
    finding = frozen_weights_were_trained(initial_traces(model, torch.optim.SGD(model.parameters(), 0.1)))
    assert (finding.direct, finding.explained_by) == (False, ("frozen_parameters",))


def test_weights_beyond_the_bound_pass() -> None:
    model = probe_net()
    with torch.no_grad():
        for weight in (model.get_parameter("0.weight"), model.get_parameter("2.weight")):
            weight.add_(0.1 * torch.randn(32, 32))
    assert frozen_weights_were_trained(initial_traces(model, head_only(model)))


def test_a_target_network_starts_like_its_twin() -> None:
    model = probe_net()
    model[3] = nn.Linear(32, 32)
    twins = nn.ModuleList([model[0], nn.Linear(32, 32)])
    twins[1].load_state_dict(model[0].state_dict())
    with pytest.raises(NotGiven):
        initial_traces(twins, torch.optim.SGD(twins[1].parameters(), 0.1))


def test_nothing_frozen_is_not_asked() -> None:
    model = nn.Linear(32, 32)
    with pytest.raises(NotGiven):
        initial_traces(model, torch.optim.SGD(model.parameters(), 0.1))
