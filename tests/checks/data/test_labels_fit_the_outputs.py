"""`data/labels_fit_the_outputs`: edge cases, and its probe on small live objects."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from diagkit.checks.data.labels_fit_the_outputs import labels_fit_the_outputs
from diagkit.evidence.data import Labels
from diagkit.probes.labels import labels
from diagkit.subject import NotGiven

X = torch.randn(60, 4)


def test_no_label_at_all_passes() -> None:
    assert labels_fit_the_outputs(Labels({}, {}, 0, []))


@pytest.mark.parametrize("first", [1, -1])
def test_labels_that_begin_elsewhere_are_found(first: int) -> None:
    y = torch.arange(60) % 3 + first
    found = labels_fit_the_outputs(labels(nn.Linear(4, 3), [(X, y)], nn.CrossEntropyLoss(), "classification"))
    assert found.faults == ("label_encoding",)


def test_a_negative_label_that_counts_from_the_end_is_found() -> None:
    def own(out: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
        return -out.log_softmax(1)[torch.arange(len(want)), want].mean()

    y = torch.arange(60) % 3 - 1
    assert not labels_fit_the_outputs(labels(nn.Linear(4, 3), [(X, y)], own, "classification"))


def test_ignored_labels_are_healthy() -> None:
    y = torch.where(torch.arange(60) % 7 == 0, -100, torch.arange(60) % 3)
    assert labels_fit_the_outputs(labels(nn.Linear(4, 3), [(X, y)], F.cross_entropy, "classification"))
    y = torch.where(y == -100, -1, y)
    ignoring = nn.CrossEntropyLoss(ignore_index=-1)
    assert labels_fit_the_outputs(labels(nn.Linear(4, 3), [(X, y)], ignoring, "classification"))


def test_a_probability_of_minus_one_is_found_and_a_margin_loss_is_healthy() -> None:
    y = (torch.arange(60) % 2 * 2 - 1).float()[:, None]
    assert not labels_fit_the_outputs(labels(nn.Linear(4, 1), [(X, y)], nn.BCEWithLogitsLoss(), "binary"))
    assert labels_fit_the_outputs(labels(nn.Linear(4, 1), [(X, y)], nn.SoftMarginLoss(), "binary"))
    assert labels_fit_the_outputs(labels(nn.Linear(4, 1), [(X, (y + 1) / 2)], nn.BCEWithLogitsLoss(), "binary"))


def test_values_are_no_labels() -> None:
    with pytest.raises(NotGiven):
        labels(nn.Linear(4, 1), [(X, torch.randn(60, 1))], nn.MSELoss(), "regression")
