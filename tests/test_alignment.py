"""The alignment check on real text: silent on the intact corpus, failing on a shuffled or shifted one."""

import random

import pytest

from diagkit.checks.data.pairs_are_consistent import pairs_are_consistent
from diagkit.checks.data.targets_match_inputs import targets_match_inputs
from diagkit.finding import Verdict
from diagkit.probes.alignment import Pair, alignment
from diagkit.tasks import corpus


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rows", [5000, 500, 200])
def test_real_pairs(english_french: list[Pair], rows: int, seed: int) -> None:
    rng = random.Random(seed)
    chosen = [english_french[i] for i in sorted(rng.sample(range(len(english_french)), rows))]
    assert targets_match_inputs(alignment(chosen, seed=seed)).verdict is Verdict.PASS
    targets = [target for _, target in chosen]
    shifted = [(source, targets[(i + 1) % rows]) for i, (source, _) in enumerate(chosen)]
    assert targets_match_inputs(alignment(shifted, seed=seed)).verdict is Verdict.FAIL
    rng.shuffle(targets)
    shuffled = [(source, target) for (source, _), target in zip(chosen, targets, strict=True)]
    assert targets_match_inputs(alignment(shuffled, seed=seed)).verdict is Verdict.FAIL


def test_few_rows_are_not_judged_by_association() -> None:
    pairs = [(f"Ana sees {i} cats", f"Ana ve {i} gatos") for i in range(10, 20)]
    assert targets_match_inputs(alignment(pairs)).verdict is Verdict.SKIP


def test_wrong_training_pairs_are_told_from_right_ones() -> None:
    drawn = corpus.synthetic(1500, 400, 1, seed=0)
    healthy = pairs_are_consistent(alignment(drawn.train, val_pairs=drawn.val))
    assert healthy.verdict is Verdict.PASS
    targets = [target for _, target in drawn.train[:600]]
    wrong = [(source, targets[i - 1]) for i, (source, _) in enumerate(drawn.train[:600])]
    rest = random.Random(0).sample([*wrong, *drawn.train[600:]], 1500)
    assert pairs_are_consistent(alignment(rest, val_pairs=drawn.val)).faults == ("label_noise",)
