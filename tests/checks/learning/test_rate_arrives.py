from diagkit.checks.learning.rate_arrives import rate_arrives
from diagkit.evidence.training import History
from diagkit.finding import Verdict


def judged(rates, asked=0.1, planned=0):
    return rate_arrives(History([1.0] * len(rates), rates, asked, [], [], planned))


def test_a_tie_passes():
    assert judged([0.05]).verdict is Verdict.PASS
    assert judged([0.049]).faults == ("endless_warmup",)


def test_zero_and_runs_that_were_cut_short():
    assert judged([0.0]).faults == ("zero_learning_rate",)
    assert judged([0.01], planned=10).verdict is Verdict.SKIP
    assert judged([]).verdict is Verdict.SKIP
    assert judged([0.1], asked=0.0).verdict is Verdict.SKIP
