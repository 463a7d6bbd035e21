"""`data/labels_are_consistent`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.labels_are_consistent import labels_are_consistent
from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, Verdict
from diagkit.probes.input_dependence import input_dependence


def judged(wrong: float, wrong_in_val: float = 0.0) -> Finding:
    g = torch.Generator().manual_seed(0)
    parts = []
    for rows, share in ((900, wrong), (400, wrong_in_val)):
        x = torch.randn(rows, 6, generator=g)
        y = (x[:, 0] + x[:, 1] > 0).long()
        parts.append([(x, torch.where(torch.rand(rows, generator=g) < share, 1 - y, y))])
    return labels_are_consistent(input_dependence(parts[0], "classification", parts[1]))


def test_wrong_training_labels_are_found() -> None:
    assert judged(0.25).faults == ("label_noise",)


def test_clean_labels_and_a_task_that_is_noisy_by_nature_pass() -> None:
    assert judged(0.0)
    assert judged(0.25, 0.25)


def test_without_validation_or_with_other_shares_of_the_classes_nothing_is_said() -> None:
    assert labels_are_consistent(InputDependence(900, 0.8, 0.03)).verdict is Verdict.SKIP
    rare = InputDependence(900, 0.2, 0.03, "ridge", 300, 0.7, 0.05, 0.2, 0.7, 9.0, 1.0)
    assert labels_are_consistent(rare).verdict is Verdict.SKIP
