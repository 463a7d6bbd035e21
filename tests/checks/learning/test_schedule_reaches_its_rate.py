import torch
from torch import nn

from diagkit.checks.learning.schedule_reaches_its_rate import schedule_reaches_its_rate
from diagkit.evidence.learning import PlannedRates
from diagkit.finding import Verdict
from diagkit.probes.planned_rates import planned_rates

schedules = torch.optim.lr_scheduler


def planned(make, interval="step", rate=0.1, epochs=5):
    optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=rate)
    scheduler = make(optimizer)
    before = optimizer.param_groups[0]["lr"]
    evidence = planned_rates(optimizer, [0] * 20, epochs, scheduler, interval)
    assert optimizer.param_groups[0]["lr"] == before and scheduler.last_epoch == 0
    return schedule_reaches_its_rate(evidence)


def test_warm_ups():
    long = planned(lambda o: schedules.LambdaLR(o, lambda i: min(1.0, i / 4000)))
    assert long.faults == ("endless_warmup",)
    assert planned(lambda o: schedules.LambdaLR(o, lambda i: min(1.0, i / 20))).verdict is Verdict.PASS
    assert planned(lambda o: schedules.OneCycleLR(o, 0.5, total_steps=100)).verdict is Verdict.PASS
    assert planned(lambda o: schedules.OneCycleLR(o, 0.5, total_steps=5000)).faults == ("endless_warmup",)


def test_a_warm_up_in_epochs_that_is_meant_in_steps():
    ramp = lambda o: schedules.LambdaLR(o, lambda i: min(1.0, i / 20))  # noqa: E731
    assert planned(ramp, "epoch").faults == ("endless_warmup",)


def test_zero():
    assert planned(lambda o: schedules.StepLR(o, 1), rate=0.0).faults == ("zero_learning_rate",)
    assert schedule_reaches_its_rate(PlannedRates(0, 0.1, [])).verdict is Verdict.SKIP
