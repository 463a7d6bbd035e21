"""A padding mask and its reverse."""

import pytest
import torch
from torch import nn

from diagkit.checks.wrong_thing.padding_stays_out import padding_stays_out
from diagkit.finding import Verdict
from diagkit.probes.padding_flow import padding_flow
from diagkit.subject import NotGiven

LENGTHS = torch.tensor([3, 4, 5, 6] * 3)
IDS = torch.randint(1, 9, (12, 8), generator=torch.Generator().manual_seed(0))
IDS = IDS.masked_fill(torch.arange(8) >= LENGTHS[:, None], 0)


class Sorter(nn.Module):
    def __init__(self, inverted):
        super().__init__()
        self.inverted, self.embed, self.out = inverted, nn.Embedding(9, 8), nn.Linear(8, 4)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, ids):
        x = self.embed(ids)
        y, _ = self.attention(x, x, x, key_padding_mask=(ids != 0) if self.inverted else (ids == 0))
        return self.out((x + y).mean(1))


def judged(inverted):
    return padding_stays_out(padding_flow(Sorter(inverted), [(IDS, LENGTHS - 3)])).verdict


def test_mask_and_its_reverse():
    assert judged(inverted=True) is Verdict.FAIL
    assert judged(inverted=False) is Verdict.PASS


def test_nothing_is_padded():
    with pytest.raises(NotGiven):
        padding_flow(Sorter(False), [(IDS + 1, LENGTHS - 3)][:0])
