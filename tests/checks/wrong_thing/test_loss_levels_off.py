import math

from diagkit.checks.wrong_thing.loss_levels_off import loss_levels_off
from diagkit.evidence.fit import Fit
from diagkit.evidence.learning import InitialLoss
from diagkit.evidence.training import History
from diagkit.finding import Finding, Verdict

GUESS = 2.3


def found(losses: list[float], val_losses: list[float], guess: float = GUESS) -> Finding:
    """Judge a training with validation losses at even distances."""
    every = max(1, len(losses) // max(1, len(val_losses)))
    history = History(
        losses, [0.1] * len(losses), 0.1, [every * (i + 1) for i in range(len(val_losses))], list(val_losses)
    )
    val = val_losses[-1] if val_losses else losses[-1]
    return loss_levels_off(history, Fit(GUESS, losses[-1], val, val, 100, True), InitialLoss(100, GUESS, guess, 1.0))


def test_a_slope_fails_and_names_its_fault() -> None:
    finding = found([2.3 - 0.1 * i for i in range(10)], [1.4])
    assert finding.verdict is Verdict.FAIL
    assert finding.faults == ("undertrained",) and not finding.direct


def test_a_slope_without_validation_losses_is_judged_by_the_last_one() -> None:
    assert found([2.3 - 0.1 * i for i in range(10)], []).verdict is Verdict.FAIL


def test_a_task_that_leaves_much_is_no_slope() -> None:
    assert found([2.3] + [1.5] * 40, [1.5, 1.5])


def test_memorizing_is_no_slope_of_validation() -> None:
    assert found([2.3 - 0.02 * i for i in range(40)], [2.2, 2.2, 2.3, 2.4])


def test_noise_is_no_slope() -> None:
    assert found([2.3 - 0.02 * i + 0.4 * (-1) ** i for i in range(10)], [2.0])


def test_what_has_no_scale_is_skipped() -> None:
    falling = [2.3 - 0.1 * i for i in range(10)]
    assert found(falling, [1.4], guess=0.0).verdict is Verdict.SKIP
    assert found([*falling, math.nan], [1.4]).verdict is Verdict.SKIP
    assert found(falling[:5], [1.9]).verdict is Verdict.SKIP
