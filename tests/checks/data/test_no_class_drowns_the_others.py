"""`data/no_class_drowns_the_others`: edge cases, and its probe on small live objects."""

import torch
from torch import nn

from diagkit.checks.data.no_class_drowns_the_others import no_class_drowns_the_others
from diagkit.evidence.data import ClassRecall, Labels
from diagkit.finding import Verdict
from diagkit.probes.labels import labels

MISSED = ClassRecall({"0": 1.0, "1": 0.0}, {"0": 90, "1": 10}, 0.95, 0.9, 0.9)
FOUND = ClassRecall({"0": 1.0, "1": 0.9}, {"0": 90, "1": 10}, 0.99, 0.99, 0.99)


def test_a_tiny_sample_is_not_judged() -> None:
    assert no_class_drowns_the_others(Labels({"0": 60, "1": 1}, {}, 2, []), MISSED).verdict is Verdict.SKIP


def test_a_rare_class_that_is_found_is_no_fault() -> None:
    assert no_class_drowns_the_others(Labels({"0": 3000, "1": 60}, {}, 2, []), FOUND)
    assert not no_class_drowns_the_others(Labels({"0": 3000, "1": 60}, {}, 2, []), MISSED)


def test_over_a_hundred_to_one_is_seen_directly() -> None:
    finding = no_class_drowns_the_others(Labels({"0": 4000, "1": 8}, {}, 2, []), MISSED)
    assert finding.direct
    assert finding.faults == ("class_imbalance",)


def test_weights_in_the_loss_count() -> None:
    x, y = torch.randn(1000, 4), (torch.arange(1000) % 40 == 0).long()
    weighted = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 39.0]))
    batches = list(zip(x.split(100), y.split(100), strict=True))
    assert no_class_drowns_the_others(labels(nn.Linear(4, 2), batches, weighted, "classification"), MISSED)
    plain = labels(nn.Linear(4, 2), batches, nn.CrossEntropyLoss(), "classification")
    assert not no_class_drowns_the_others(plain, MISSED)
