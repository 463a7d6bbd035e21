"""The three checks that read what a trained model answers."""

import math

import pytest
import torch
from torch import nn

from diagkit.checks.wrong_thing.answers_are_no_copies import answers_are_no_copies
from diagkit.checks.wrong_thing.answers_follow_the_inputs import answers_follow_the_inputs
from diagkit.checks.wrong_thing.answers_stand_in_place import answers_stand_in_place
from diagkit.evidence.wrong_thing import TrainedAnswers
from diagkit.finding import Verdict
from diagkit.probes.trained_answers import trained_answers
from diagkit.subject import NotGiven

IDS = torch.randint(0, 9, (12, 10), generator=torch.Generator().manual_seed(0))
NOISY, CLEAN = torch.randn(16, 6), torch.randn(16, 6)


class Says(nn.Module):
    """Answers the id that stands so many positions later."""

    def __init__(self, later):
        super().__init__()
        self.later = later

    def forward(self, ids):
        return nn.functional.one_hot(ids.roll(-self.later, 1), 9).float() * 10


def test_answers_one_position_off():
    targets = (IDS + 1) % 9  # no inputs, so that nothing is copied
    shifted = trained_answers(Says(1), [((IDS + 1) % 9, targets)])
    assert answers_stand_in_place(shifted).verdict is Verdict.PASS or shifted.in_inputs
    places = {"0": 0.1, "1": 0.9}
    assert answers_stand_in_place(TrainedAnswers(100, 0.5, places)).verdict is Verdict.FAIL
    assert answers_stand_in_place(TrainedAnswers(100, 0.5, {"0": 0.5, "1": 0.5})).verdict is Verdict.PASS


def test_a_copy_of_what_was_seen_is_no_shift():
    copy = TrainedAnswers(100, 0.5, {"0": 0.1, "-1": 0.9}, in_inputs=True)
    assert answers_stand_in_place(copy).verdict is Verdict.SKIP


def test_the_same_answer_to_everybody():
    model = nn.Linear(6, 6)
    assert answers_follow_the_inputs(trained_answers(model, [(NOISY, CLEAN)])).verdict is Verdict.PASS
    nn.init.zeros_(model.weight)
    assert answers_follow_the_inputs(trained_answers(model, [(NOISY, CLEAN)])).verdict is Verdict.FAIL
    assert answers_follow_the_inputs(TrainedAnswers(9, math.nan)).verdict is Verdict.FAIL


def test_a_denoiser_that_returns_its_input():
    assert answers_are_no_copies(trained_answers(nn.Identity(), [(NOISY, CLEAN)])).verdict is Verdict.FAIL
    assert answers_are_no_copies(trained_answers(nn.Linear(6, 6), [(NOISY, CLEAN)])).verdict is Verdict.PASS
    assert answers_are_no_copies(trained_answers(nn.Linear(6, 6), [(NOISY, NOISY)])).verdict is Verdict.SKIP


def test_no_examples():
    with pytest.raises(NotGiven):
        trained_answers(nn.Linear(6, 6), [])
