"""`data/what_training_teaches_holds_in_validation`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.what_training_teaches_holds_in_validation import what_training_teaches_holds_in_validation
from diagkit.evidence.data import InputDependence
from diagkit.finding import Verdict
from diagkit.probes.input_dependence import input_dependence


def texts(rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 2, (rows,), generator=g)
    return torch.randint(0, 20, (rows, 12), generator=g) + 20 * y[:, None] * torch.randint(
        0, 2, (rows, 12), generator=g
    ), y


def test_words_numbered_anew_are_found() -> None:
    train, (x, y) = texts(600, 0), texts(300, 1)
    other = torch.randperm(40, generator=torch.Generator().manual_seed(2))[x]
    assert what_training_teaches_holds_in_validation(input_dependence([train], "classification", [(x, y)]))
    found = what_training_teaches_holds_in_validation(input_dependence([train], "classification", [(other, y)]))
    assert found.faults[0] == "inconsistent_preprocessing"


def test_without_a_relation_in_both_parts_nothing_is_said() -> None:
    assert what_training_teaches_holds_in_validation(InputDependence(900, 0.8, 0.03)).verdict is Verdict.SKIP
    weak = InputDependence(900, 0.8, 0.03, "ridge", 60, 0.2, 0.12, 0.8, 0.0)
    assert what_training_teaches_holds_in_validation(weak).verdict is Verdict.SKIP
