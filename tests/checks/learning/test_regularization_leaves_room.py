from diagkit.checks.learning.regularization_leaves_room import regularization_leaves_room
from diagkit.evidence.learning import RegularizationTrial
from diagkit.finding import Verdict

nan = float("nan")


def judged(untrained, trained, kept, without):
    return regularization_leaves_room(RegularizationTrial(100, 0.1, 0.0, untrained, trained, kept, without))


def test_freed_models_that_learn_fail_the_check():
    assert judged(2.3, 2.2, 2.2, 1.0).faults == ("excessive_regularization",)
    assert judged(2.3, 2.4, nan, 1.0).faults == ("excessive_regularization",)


def test_edges():
    assert judged(2.3, 1.5, 1.5, 1.2).verdict is Verdict.PASS
    assert judged(2.3, 2.29, 2.29, 2.2).verdict is Verdict.PASS  # too little to tell
    assert judged(2.3, 2.2, 1.0, 0.9).verdict is Verdict.PASS  # more steps were all it needed
    assert judged(2.3, 2.2, 2.2, nan).verdict is Verdict.SKIP
