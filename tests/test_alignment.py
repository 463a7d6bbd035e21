"""The alignment check on real text: silent on the intact corpus, failing on a shuffled or shifted one."""

import random

import pytest

from diagkit.checks.data.targets_match_inputs import targets_match_inputs
from diagkit.finding import Verdict
from diagkit.probes.alignment import Pair, alignment


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rows", [5000, 500, 200])
def test_real_pairs(english_french: list[Pair], rows: int, seed: int) -> None:
    rng = random.Random(seed)
    chosen = [english_french[i] for i in sorted(rng.sample(range(len(english_french)), rows))]
    assert targets_match_inputs(alignment(chosen, seed)).verdict is Verdict.PASS
    targets = [target for _, target in chosen]
    shifted = [(source, targets[(i + 1) % rows]) for i, (source, _) in enumerate(chosen)]
    assert targets_match_inputs(alignment(shifted, seed)).verdict is Verdict.FAIL
    rng.shuffle(targets)
    shuffled = [(source, target) for (source, _), target in zip(chosen, targets, strict=True)]
    assert targets_match_inputs(alignment(shuffled, seed)).verdict is Verdict.FAIL


def test_few_rows_are_not_judged_by_association() -> None:
    pairs = [(f"Ana sees {i} cats", f"Ana ve {i} gatos") for i in range(10, 20)]
    assert targets_match_inputs(alignment(pairs)).verdict is Verdict.SKIP
