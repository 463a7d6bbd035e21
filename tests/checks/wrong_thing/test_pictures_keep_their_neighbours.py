"""Pictures permuted and viewed."""

import torch

from diagkit.checks.wrong_thing.pictures_keep_their_neighbours import pictures_keep_their_neighbours
from diagkit.finding import Verdict
from diagkit.probes.image_layout import image_layout

ACROSS = torch.rand(32, 12, 12, 3, generator=torch.Generator().manual_seed(0)).cumsum(1).cumsum(2)


def judged(pictures):
    return pictures_keep_their_neighbours(image_layout([(pictures, torch.zeros(32))])).verdict


def test_permuted_and_viewed():
    assert judged(ACROSS.permute(0, 3, 1, 2)) is Verdict.PASS
    tinted = ACROSS * torch.tensor([1.0, -1.0, 0.2])
    assert judged(tinted.permute(0, 3, 1, 2)) is Verdict.PASS
    assert judged(tinted.view(32, 3, 12, 12)) is Verdict.FAIL


def test_noise_has_no_neighbours():
    assert judged(torch.randn(32, 3, 12, 12, generator=torch.Generator().manual_seed(0))) is Verdict.PASS
