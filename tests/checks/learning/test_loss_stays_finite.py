from diagkit.checks.learning.loss_stays_finite import loss_stays_finite
from diagkit.evidence.training import History
from diagkit.finding import Verdict

nan, inf = float("nan"), float("inf")


def judged(losses):
    return loss_stays_finite(History(losses, [0.1] * len(losses), 0.1, [], []))


def test_growth_tells_divergence_from_an_operation():
    assert judged([1.0, 0.9, 0.8, nan]).faults == ("nonfinite_values",)
    assert judged([1.0, 9.0, 1e9, inf]).faults[0] == "learning_rate_too_high"
    assert judged([nan]).faults == ("nonfinite_values",)


def test_finite_and_empty():
    assert judged([1.0]).verdict is Verdict.PASS
    assert judged([]).verdict is Verdict.PASS
