import torch
from torch import nn

from diagkit.checks.environment.one_device_holds_everything import one_device_holds_everything
from diagkit.evidence.environment import Devices
from diagkit.probes.devices import devices

TRAIN = [(torch.ones(8, 4), torch.zeros(8, 1))]


def test_a_layer_that_was_left_behind_is_found() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1, device="meta"))
    assert one_device_holds_everything(devices(model, TRAIN)).faults == ("device_disagreement",)


def test_one_device_is_no_fault() -> None:
    assert one_device_holds_everything(devices(nn.Linear(4, 1), TRAIN))


def test_batches_on_the_cpu_are_moved_by_the_step() -> None:
    assert one_device_holds_everything(Devices({"cuda:0": "w"}, ["cpu"], ["cpu", "cuda"]))
