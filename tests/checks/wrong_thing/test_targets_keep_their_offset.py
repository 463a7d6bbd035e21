"""Tags that stand one further in training."""

import torch

from diagkit.checks.wrong_thing.targets_keep_their_offset import targets_keep_their_offset
from diagkit.finding import Verdict
from diagkit.probes.target_offsets import target_offsets

IDS = torch.randint(0, 9, (100, 12), generator=torch.Generator().manual_seed(0))
TAGS = IDS % 3


def judged(train, val):
    return targets_keep_their_offset(target_offsets([(IDS, train)], [(IDS, val)])).verdict


def test_one_side_is_shifted():
    assert judged(TAGS.roll(-1, 1), TAGS) is Verdict.FAIL


def test_both_sides_agree():
    assert judged(TAGS, TAGS) is Verdict.PASS
    assert judged(TAGS.roll(-1, 1), TAGS.roll(-1, 1)) is Verdict.PASS


def test_tags_that_mean_nothing():
    noise = TAGS[torch.randperm(100, generator=torch.Generator().manual_seed(1))]
    assert judged(noise, TAGS) is Verdict.PASS
