"""`data/stored_examples_stay_the_same`: edge cases, and its probe on small live objects."""

import copy

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

from diagkit.checks.data.stored_examples_stay_the_same import stored_examples_stay_the_same
from diagkit.evidence.data import RepeatedReadings
from diagkit.probes.repeated_readings import repeated_readings
from diagkit.subject import NotGiven

Item = tuple[torch.Tensor, torch.Tensor]


class Kept(Dataset[Item]):
    """Examples in memory, standardized while they are read."""

    def __init__(self, how: str) -> None:
        self.x = torch.randn(80, 5, generator=torch.Generator().manual_seed(0)) + 1
        self.how = how

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, i: int) -> Item:
        x = self.x[i]
        if self.how == "in place":
            x = x.sub_(0.3).div_(0.4)
        elif self.how == "flipped in place":
            self.x[i] = x.flip(0)
        elif self.how == "augmented":
            x = x + torch.randn(5)
        return x, torch.zeros(())


@pytest.mark.parametrize("how", ["in place", "flipped in place"])
def test_a_store_that_changes_is_found_and_the_original_is_left_alone(how: str) -> None:
    loader = DataLoader(Kept(how), 16, shuffle=True)
    before = copy.deepcopy(loader.dataset.x)  # type: ignore[attr-defined]
    assert stored_examples_stay_the_same(repeated_readings(loader)).faults == ("data_mutated",)
    assert torch.equal(before, loader.dataset.x)  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["out of place", "augmented"])
def test_reading_and_augmentation_are_healthy(how: str) -> None:
    assert stored_examples_stay_the_same(repeated_readings(DataLoader(Kept(how), 16, shuffle=True)))


def test_constant_inputs_do_not_drift_and_lists_are_not_asked() -> None:
    assert stored_examples_stay_the_same(RepeatedReadings([], False, [0.0] * 3, [0.0] * 3, [0.0] * 3))
    with pytest.raises(NotGiven):
        repeated_readings([(torch.zeros(2), torch.zeros(2))])
