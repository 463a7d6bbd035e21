"""`data/targets_depend_on_inputs`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn

from diagkit.checks.data.targets_depend_on_inputs import targets_depend_on_inputs
from diagkit.evidence.data import ExchangedInputs, InputDependence
from diagkit.finding import Verdict
from diagkit.probes.exchanged_inputs import exchanged_inputs
from diagkit.probes.input_dependence import input_dependence
from diagkit.subject import NotGiven

NAN = float("nan")
USELESS = ExchangedInputs(900, 0.0, 0.0, 0.0, 0.0, 0.0)


def task(rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.randn(rows, 5, generator=torch.Generator().manual_seed(seed))
    return x, (x[:, 0] + x[:, 1] > 0).long()


def test_shuffled_training_labels_are_seen_directly() -> None:
    (x, y), val = task(500, 0), task(300, 1)
    shuffled = y[torch.randperm(500, generator=torch.Generator().manual_seed(2))]
    found = targets_depend_on_inputs(input_dependence([(x, shuffled)], "classification", [val]), USELESS)
    assert found.direct
    assert found.faults[0] == "misaligned_targets"
    assert targets_depend_on_inputs(input_dependence([(x, y)], "classification", [val]), USELESS)


def test_a_noisy_relation_is_a_relation() -> None:
    x, y = task(800, 0)
    noisy = torch.where(torch.rand(800, generator=torch.Generator().manual_seed(3)) < 0.25, 1 - y, y)
    assert targets_depend_on_inputs(input_dependence([(x, noisy)], "classification"), USELESS)


def test_nothing_found_is_no_verdict_without_validation_or_with_a_model_that_knows() -> None:
    nothing = InputDependence(1000, 0.0, 0.03)
    blind = ExchangedInputs(900, 0.0, 0.0, NAN, NAN, 0.0)
    knows = ExchangedInputs(900, 0.5, 9.0, 0.4, 5.0, 0.0)
    assert targets_depend_on_inputs(nothing, blind).verdict is Verdict.SKIP
    assert targets_depend_on_inputs(nothing, knows).verdict is Verdict.SKIP
    assert targets_depend_on_inputs(InputDependence(60, 0.0, 0.1), USELESS).verdict is Verdict.SKIP
    assert not targets_depend_on_inputs(nothing, USELESS).direct


def test_a_model_that_uses_its_input_loses_by_exchanged_ones() -> None:
    model = nn.Linear(5, 2)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[-5.0, -5, 0, 0, 0], [5, 5, 0, 0, 0]]))
    batches = [task(50, seed) for seed in range(4)]
    gains = exchanged_inputs(model, batches, nn.CrossEntropyLoss(), "classification", batches)
    assert gains.val_gain > 0.5
    nn.init.zeros_(model.weight)
    assert abs(exchanged_inputs(model, batches, nn.CrossEntropyLoss(), "classification", batches).val_gain) < 1e-6


def test_too_few_examples_and_sequences_are_not_asked() -> None:
    with pytest.raises(NotGiven):
        input_dependence([task(10, 0)], "classification")
    with pytest.raises(NotGiven):
        input_dependence([task(100, 0)], "language_model")
