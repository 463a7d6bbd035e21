"""`data/validation_labels_mean_the_same`: edge cases, and its probe on small live objects."""

import pytest
import torch
from torch import nn

from diagkit.checks.data.validation_labels_mean_the_same import validation_labels_mean_the_same
from diagkit.evidence.data import ClassRecall
from diagkit.finding import Verdict
from diagkit.probes.class_recall import class_recall
from diagkit.subject import NotGiven


class Knows(nn.Module):
    """The class is the place of the largest input."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def test_renamed_classes_are_found() -> None:
    x = torch.randn(200, 4, generator=torch.Generator().manual_seed(0))
    y = x.argmax(1)
    same = class_recall(Knows(), [(x, y)], "classification", [(x, y)])
    assert same.recalls == dict.fromkeys("0123", 1.0)
    assert validation_labels_mean_the_same(same)
    renamed = class_recall(Knows(), [(x, y)], "classification", [(x, (y + 1) % 4)])
    assert validation_labels_mean_the_same(renamed).faults == ("label_encoding",)


def test_a_model_that_knows_nothing_passes() -> None:
    x = torch.randn(400, 4, generator=torch.Generator().manual_seed(0))
    y = torch.randint(0, 4, (400,), generator=torch.Generator().manual_seed(1))
    assert validation_labels_mean_the_same(class_recall(Knows(), [(x, y)], "classification", [(x, y)]))


def test_few_or_no_validation_labels_are_not_judged() -> None:
    nan = float("nan")
    assert validation_labels_mean_the_same(ClassRecall({}, {}, 0.9, nan, nan)).verdict is Verdict.SKIP
    assert validation_labels_mean_the_same(ClassRecall({}, {"0": 9}, 0.9, 0.1, 0.9)).verdict is Verdict.SKIP
    with pytest.raises(NotGiven):
        class_recall(Knows(), [(torch.randn(5, 2), torch.randn(5, 2))], "regression")
