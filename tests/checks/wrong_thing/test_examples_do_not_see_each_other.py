"""Batch mates that matter, and how they matter."""

import pytest
import torch
from torch import nn

from diagkit.checks.wrong_thing.examples_do_not_see_each_other import examples_do_not_see_each_other
from diagkit.finding import Verdict
from diagkit.probes.batch_mixing import batch_mixing
from diagkit.subject import NotGiven

X, IDS = torch.randn(26, 6), torch.arange(26) % 4


class Pooled(nn.Module):
    def __init__(self, axis):
        super().__init__()
        self.axis, self.out = axis, nn.Linear(6, 4)

    def forward(self, x):
        return self.out(x * (x[:, :1]).softmax(self.axis)) if self.axis else self.out(x * x.softmax(0))


class Centred(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(6, 4)

    def forward(self, x):
        return self.out(x - x.mean(0))


class FirstMask(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(6, 4)

    def forward(self, x, mask):
        return self.out(x * mask[:1])


def judged(model, inputs=X):
    return examples_do_not_see_each_other(batch_mixing(model, [(inputs, IDS)]))


def test_each_fault_has_its_name():
    assert judged(Centred()).faults[0] == "axis_mixup"
    assert judged(Pooled(0)).faults == ("wrong_softmax_dim",)
    mask = torch.arange(6) < (1 + IDS)[:, None]
    assert judged(FirstMask(), (X, mask)).faults == ("mask_misaligned",)


def test_healthy_models():
    assert judged(nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 4))).verdict is PASS
    assert judged(Pooled(1)).verdict is PASS


def test_what_mixes_on_purpose_is_not_asked():
    with pytest.raises(NotGiven):
        judged(nn.Sequential(nn.BatchNorm1d(6, track_running_stats=False), nn.Linear(6, 4)))


def test_nothing_is_changed():
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Linear(8, 4)).train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    judged(model)
    assert model.training
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


PASS = Verdict.PASS
