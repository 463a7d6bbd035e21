"""Differences and how sure they are, against second implementations and figures computed by hand."""

import math
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

from diagkit.paired import Sample, _draws, holm, over_examples, over_seeds, sign_flip, unpaired
from diagkit.score import bleu, bleu_statistics
from diagkit.wording import verdict

OUTPUTS = ["Maria ve 12 viejos gatos", "Juan quiere 30 peces", "la la", "Rosa ve 50 pequenos gatos"]
TRUTHS = ["Maria ve 12 viejos perros", "Juan quiere 30 peces", "Ana ve 77 grandes pajaros", "Rosa ve 50 gatos pequenos"]


def hits(values: list[float], examples: Any = "one test set") -> Sample:
    return Sample("accuracy", np.array(values)[:, None], examples)


def test_the_interval_over_seeds_is_students() -> None:
    found = over_seeds([-5.0, -7.0, -6.0], control=[10.0, 12.0, 14.0])
    half = 4.302653 * 1.0 / 3**0.5  # t of two degrees of freedom, standard deviation 1
    assert found.mean == pytest.approx(-6.0)
    assert (found.low, found.high) == pytest.approx((-6.0 - half, -6.0 + half), rel=1e-5)
    assert found.effect == pytest.approx(-3.0)
    assert found.detectable == pytest.approx((4.302653 + 1.060660) / 3**0.5, rel=1e-5)
    assert math.isnan(found.p_value)


def test_what_is_detectable_is_seen_four_times_in_five() -> None:
    rng = np.random.default_rng(0)
    size = over_seeds([-1.0, 1.0] * 5).detectable / np.std([-1.0, 1.0] * 5, ddof=1)
    drawn = rng.normal(size, 1.0, (4000, 10))
    assert float(np.mean(stats.ttest_1samp(drawn, 0.0, axis=1).pvalue < 0.05)) == pytest.approx(0.8, abs=0.03)


def test_separate_seeds_get_welchs_interval() -> None:
    first, second = [3.0, 5.0, 4.5, 6.0], [1.0, 1.5, 2.5]
    found, expected = unpaired(first, second), stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert (found.over, found.seeds) == ("seeds, unpaired", 3)


def test_equal_scores_have_no_width() -> None:
    assert unpaired([0.5, 0.5], [0.5, 0.5]).high == 0.0
    assert over_seeds([0.0, 0.0], [0.5, 0.5]).detectable == 0.0


def test_the_sign_flip_test_counts_every_flip() -> None:
    assert sign_flip([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == 2 / 64
    assert sign_flip([0.1] * 6) == 2 / 64
    values = [0.4, -0.1, 0.3, 0.2, 0.5, 0.05, -0.2]
    expected = stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(values) == pytest.approx(expected.pvalue)
    assert over_seeds(values).p_value == sign_flip(values)


def test_many_pairs_are_flipped_at_random_and_always_the_same() -> None:
    values = [0.5, -0.3, 0.4, 0.1, -0.2, 0.3] * 3
    assert sign_flip(values) == sign_flip(values)
    expected = stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=2**18)
    assert sign_flip(values) == pytest.approx(expected.pvalue, abs=0.005)


def test_holm_leaves_out_what_was_not_tested() -> None:
    adjusted = holm([0.03, math.nan, 0.02, 0.9])
    assert adjusted[::2] == pytest.approx([0.06, 0.06])
    assert math.isnan(adjusted[1])
    assert adjusted[3] == 0.9


def test_paired_examples_are_drawn_together() -> None:
    same = over_examples([hits([1.0, 0.0] * 50)], [hits([1.0, 0.0] * 50)])
    assert (same.mean, same.low, same.high) == (0.0, 0.0, 0.0)


def test_another_test_set_is_drawn_separately() -> None:
    other = over_examples([hits([1.0, 0.0] * 50, "another")], [hits([1.0, 0.0] * 50)])
    assert other.low < 0 < other.high


def test_two_seeds_that_err_apart_know_the_test_set_better_than_one() -> None:
    control = [hits([1.0] * 100)] * 2
    apart = over_examples([hits([0.0] * 10 + [1.0] * 90), hits([1.0] * 90 + [0.0] * 10)], control)
    together = over_examples([hits([0.0] * 10 + [1.0] * 90)] * 2, control)
    assert apart.mean == together.mean == pytest.approx(-0.1)
    assert apart.high - apart.low < together.high - together.low


def test_bleu_from_statistics_is_sacrebleus() -> None:
    rows, signature = bleu_statistics(OUTPUTS, TRUTHS)
    assert bleu(np.array(rows).sum(0)) == pytest.approx(BLEU().corpus_score(OUTPUTS, [TRUTHS]).score)
    assert "version:" in signature


def test_the_bootstrap_of_bleu_agrees_with_sacrebleus() -> None:
    truths = [f"{truth} {place}" for place, truth in enumerate(TRUTHS * 15)]
    control = [truth.replace("gatos", "perros") for truth in truths]
    broken = [text if place % 4 else f"la {text}" for place, text in enumerate(control)]
    test = PairedTest([("control", control), ("broken", broken)], {"BLEU": BLEU()}, [truths], "bs", 1000)
    theirs = test()[1]["BLEU"]
    samples = [Sample("BLEU", np.array(bleu_statistics(its, truths)[0]), "test") for its in (broken, control)]
    draw = _draws()
    mine = samples[0].score(draw(samples[0]))
    assert np.mean(mine) == pytest.approx(theirs[1].mean, abs=0.3)
    assert (np.quantile(mine, 0.975) - np.quantile(mine, 0.025)) / 2 == pytest.approx(theirs[1].ci, rel=0.1)
    apart = np.abs(mine - samples[1].score(draw(samples[1])))
    difference = over_examples(samples[:1], samples[1:])
    assert np.mean(apart - apart.mean() > abs(difference.mean)) == pytest.approx(theirs[1].p_value, abs=0.02)
    assert difference.high < 0


def test_no_difference_is_never_said_without_what_could_be_seen() -> None:
    assert verdict(over_seeds([0.1, -0.1, 0.2])) == "no difference seen; 3 seeds could have shown 0.473"
    assert verdict(unpaired([1.0, 2.0], [1.5, 1.6])).startswith(
        "no difference seen; at least 2 seeds a side could have shown "
    )
    assert verdict(over_seeds([math.nan, 0.1])).startswith("no verdict")
    assert verdict(over_seeds([0.0, 0.0])).startswith("no difference seen; what 2 seeds could have shown is unknown")
    one = over_examples([hits([1.0] * 9)], [hits([1.0] * 9)])
    assert verdict(one).endswith("1 seed could have shown is unknown, since no test example scores differently")
