"""What can be said of two sets of runs, on records made by hand."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from diagkit.claim import Claim, Group, claim, sentence
from diagkit.faults import fault_names
from diagkit.mistake import Mistake
from diagkit.records import Record

SETTINGS = {"optimizer.lr": 0.002, "model.width": 8, "data.path": None}


def record(seed: int, wrong: int, **changes: Any) -> Record:
    """A run that got so many of 200 examples wrong, other ones at every seed."""
    settings = SETTINGS | changes.pop("settings", {})
    places = {(seed * 31 + i) % 200 for i in range(wrong)}
    rows = [[float(place not in places)] for place in range(200)]
    score = float(np.mean(rows))
    its = Record(
        baseline="digits",
        breakage="control",
        seed=seed,
        keys={"probe": f"{settings} {seed}"},
        settings=settings,
        resolved=settings,
        data=None,
        code={"diagkit.training": "a", "torch": "torch 2.13"},
        packages={"torch": "2.13", "pandas": "2.2"},
        machine={"platform": "Linux", "Python": "3.11"},
        metric="accuracy",
        signature="",
        score=score,
        figures={"validation loss": 1.0 - score},
        test_set="one",
        statistics=rows,
        outputs=[str(row[0]) for row in rows],
    )
    return replace(its, **changes)


def group(name: str, wrong: Sequence[int], seeds: Sequence[int] = range(10), **changes: Any) -> Group:
    pairs = zip(seeds, wrong, strict=False)
    return Group(name, tuple(record(seed, its, **changes) for seed, its in pairs))


def faults(*groups: Group) -> list[str]:
    return list(claim(*groups).faults)


A = group("A", [10, 12, 11, 13, 10, 12])
LR = {"settings": {"optimizer.lr": 0.1}}


def test_one_variable_and_a_difference_make_a_claim() -> None:
    its = claim(A, group("B", [30, 33, 29, 34, 31, 32], **LR))
    assert its.changed.variables() == ["optimizer.lr: 0.002 → 0.1"]
    assert its.faults == {}
    text = sentence(its)
    assert text.startswith("B is worse than A in accuracy: −0.101, 95 % interval over seeds (Student's) [")
    assert "over test examples (paired bootstrap) [" in text
    assert "sign-flip p = 0.031" in text
    assert "times the spread of A over seeds" in text


def test_two_variables_are_confounded() -> None:
    both = {"settings": {"optimizer.lr": 0.1, "model.width": 4}}
    its = claim(A, group("B", [30] * 6, **both))
    assert list(its.faults) == ["confounded_comparison"]
    assert sentence(its).startswith("confounded_comparison: 2 things changed")


@pytest.mark.parametrize(
    "other",
    [
        {"code": {"diagkit.training": "b", "torch": "torch 2.13"}},
        {"packages": {"torch": "2.14", "pandas": "2.2"}, "code": {"diagkit.training": "a", "torch": "torch 2.14"}},
        {"machine": {"platform": "macOS", "Python": "3.11"}},
        {"data": "another"},
    ],
    ids=["code", "package", "machine", "data"],
)
def test_what_is_no_setting_counts_too(other: dict[str, Any]) -> None:
    assert faults(A, group("B", [30] * 6, **other)) == []
    assert faults(A, group("B", [30] * 6, **other, **LR)) == ["confounded_comparison"]


def test_a_package_that_no_figure_depends_on_is_shown_and_not_counted() -> None:
    its = claim(A, group("B", [30] * 6, packages={"torch": "2.13", "pandas": "3.0"}, **LR))
    assert its.changed.other_packages == ("pandas: 2.2 → 3.0",)
    assert its.faults == {}


def test_what_follows_by_interpolation_is_not_counted() -> None:
    follows = [
        replace(run, resolved=run.resolved | {"schedule.floor": 0.01}) for run in group("B", [30] * 6, **LR).runs
    ]
    its = claim(A, Group("B", tuple(follows)))
    assert its.changed.derived == ("schedule.floor: null → 0.01",)
    assert its.faults == {}


def test_a_difference_below_the_spread_is_noise_and_says_what_could_be_seen() -> None:
    its = claim(A, group("B", [12, 10, 13, 11, 12, 10], **LR))
    assert list(its.faults) == ["within_noise"]
    assert "no difference seen; 6 seeds could have shown 0.0" in sentence(its)


def test_a_difference_that_rests_on_few_test_examples_is_noise() -> None:
    its = claim(group("A", [10, 10, 10]), group("B", [9, 9, 9], **LR))
    assert its.difference.low > 0
    assert "better on these test examples, but others may show none" in its.faults["within_noise"]


def test_a_sign_that_few_seeds_do_not_share_is_noise() -> None:
    its = claim(group("A", [20] * 5), group("B", [40, 40, 40, 40, 18], **LR))
    assert its.difference.high < 0
    assert "its sign differs between 5 seeds" in its.faults["within_noise"]


@pytest.mark.parametrize(("wrong", "why"), [(0, "accuracy is 1 in every run"), (200, "accuracy is 0 in every run")])
def test_a_score_at_its_end_is_uninformative(wrong: int, why: str) -> None:
    its = claim(group("A", [wrong] * 3), group("B", [wrong] * 3, **LR))
    assert list(its.faults) == ["uninformative_comparison"]
    assert why in its.faults["uninformative_comparison"]


def test_equal_outputs_in_spite_of_a_change_are_uninformative() -> None:
    its = claim(A, group("B", [10, 12, 11, 13, 10, 12], **LR))
    assert "the outputs are the same for all 200 test examples" in sentence(its)


def test_nothing_changed_is_uninformative_unless_the_same_seed_gives_another_result() -> None:
    assert faults(A, A) == ["uninformative_comparison"]
    assert faults(A, group("B", [10, 12, 11, 13, 10, 13])) == ["nondeterminism"]
    assert faults(A, group("B", [30] * 3, seeds=[7, 8, 9])) == ["uninformative_comparison"]


def test_a_score_that_is_not_a_number_is_uninformative() -> None:
    broken = [replace(run, score=math.nan, statistics=[[math.nan]] * 200) for run in group("B", [30] * 6, **LR).runs]
    assert faults(A, Group("B", tuple(broken))) == ["uninformative_comparison"]


def test_separate_seeds_are_compared_unpaired() -> None:
    second = group("B", [30, 33, 29], seeds=[7, 8, 9], **LR)
    its = claim(A, second)
    scores = [[run.score for run in runs] for runs in (second.runs, A.runs)]
    expected = stats.ttest_ind(*scores, equal_var=False).confidence_interval(0.95)
    assert (its.difference.low, its.difference.high) == pytest.approx((expected.low, expected.high))
    assert its.shared == ()
    assert "unpaired (Welch's)" in sentence(its)


def test_shared_seeds_are_paired_and_the_others_left_out() -> None:
    its = claim(A, group("B", [30, 33, 29], seeds=[4, 5, 6], **LR))
    assert its.shared == (4, 5)
    assert [len(side) for side in its.sides] == [2, 2]


def test_single_runs_of_other_seeds_differ_in_the_seed_too() -> None:
    its = claim(group("A", [10]), group("B", [40], seeds=[1], **LR))
    assert its.changed.variables() == ["optimizer.lr: 0.002 → 0.1", "seed: [0] → [1]"]
    assert list(its.faults) == ["confounded_comparison"]


def test_one_seed_says_what_it_leaves_open() -> None:
    its = claim(group("A", [10]), group("B", [40], **LR))
    assert its.faults == {}
    assert sentence(its).endswith("one seed says nothing about another training.")


def test_unlike_metrics_are_a_mistake() -> None:
    with pytest.raises(Mistake, match="A is measured in accuracy and B in BLEU"):
        claim(A, group("B", [30] * 6, metric="BLEU"))


def test_every_name_is_of_the_fault_vocabulary() -> None:
    from diagkit import claim as module

    names = {module.CONFOUNDED, module.WITHIN_NOISE, module.UNINFORMATIVE, module.NONDETERMINISM}
    assert names <= set(fault_names())


def test_figures_are_those_that_both_have() -> None:
    its: Claim = claim(A, group("B", [30] * 6, figures={"validation loss": 0.5, "exact match": 0.2}, **LR))
    assert list(its.figures()) == ["accuracy", "validation loss"]
    assert its.figures()["validation loss"][1] == 0.5
