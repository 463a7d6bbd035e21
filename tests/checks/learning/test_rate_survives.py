from diagkit.checks.learning.rate_survives import rate_survives
from diagkit.evidence.training import History
from diagkit.finding import Verdict


def judged(rates):
    return rate_survives(History([1.0] * len(rates), rates, 0.1, [], []))


def test_a_rate_that_died_fails():
    assert judged([0.1] * 10 + [1e-6] * 90).faults == ("schedule_decays_to_zero",)


def test_the_end_may_be_zero_and_a_short_or_rateless_run_says_nothing():
    assert judged([0.1 * (1 - i / 100) for i in range(101)]).verdict is Verdict.PASS
    assert judged([]).verdict is Verdict.SKIP
    assert judged([0.0] * 100).verdict is Verdict.SKIP
