from diagkit.checks.learning.loss_goes_down import loss_goes_down
from diagkit.evidence.training import History
from diagkit.finding import Verdict


def judged(losses):
    return loss_goes_down(History(losses, [0.1] * len(losses), 0.1, [], []))


def test_flat_fails_and_a_small_loss_may_fall_by_little():
    assert judged([2.3] * 50).verdict is Verdict.FAIL
    assert judged([0.02] * 10 + [0.01] * 10).verdict is Verdict.PASS


def test_rising_suggests_a_rate_that_is_too_high_first():
    assert judged([1.0] * 10 + [5.0] * 10).faults[0] == "learning_rate_too_high"
    assert judged([1.0] * 20).faults[0] == "learning_rate_too_low"


def test_nothing_and_nan_are_skipped():
    assert judged([]).verdict is Verdict.SKIP
    assert judged([1.0, float("nan")]).verdict is Verdict.SKIP
