from diagkit.checks.learning.loss_has_a_floor import loss_has_a_floor
from diagkit.evidence.training import History
from diagkit.finding import Verdict


def judged(losses):
    return loss_has_a_floor(History(losses, [0.1] * len(losses), 0.1, [], []))


def test_a_loss_without_end_has_the_wrong_sign():
    assert judged([-3.6, *range(0, -1000, -10)]).faults == ("wrong_sign",)
    assert judged([0.7, *range(0, -1000, -10)]).verdict is Verdict.FAIL


def test_positive_losses_and_those_of_densities_pass():
    assert judged([500.0, 3.0, 0.0]).verdict is Verdict.PASS
    assert judged([500.0, -900.0, -2000.0]).verdict is Verdict.PASS
    assert judged([0.0, 0.0]).value == 0


def test_nothing_and_nan_are_skipped():
    assert judged([]).verdict is Verdict.SKIP
    assert judged([1.0]).verdict is Verdict.SKIP
    assert judged([1.0, float("nan")]).verdict is Verdict.SKIP
