"""`data/inputs_differ`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.inputs_differ import inputs_differ
from diagkit.evidence.data import EqualInputs
from diagkit.finding import Verdict
from diagkit.probes.equal_inputs import equal_inputs


def test_few_rows_are_not_judged() -> None:
    assert inputs_differ(EqualInputs(5, 0.2, 1.0, 0.0, 1.0, 0.0)).verdict is Verdict.SKIP


def test_bytes_divided_as_bytes_are_found_and_images_are_not() -> None:
    x, y = torch.randint(0, 255, (100, 16)), torch.arange(100) % 3
    assert inputs_differ(equal_inputs([((x // 255).float(), y)], "classification")).faults == ("destroyed_inputs",)
    assert inputs_differ(equal_inputs([(x / 255, y)], "classification"))
