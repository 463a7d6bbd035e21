import torch
from torch import nn

from diagkit.checks.learning.schedule_lasts import schedule_lasts
from diagkit.evidence.learning import PlannedRates
from diagkit.finding import Verdict
from diagkit.probes.planned_rates import planned_rates

schedules = torch.optim.lr_scheduler


def lasts(make, interval="epoch", epochs=20):
    optimizer = torch.optim.Adam(nn.Linear(2, 1).parameters(), lr=0.1)
    return schedule_lasts(planned_rates(optimizer, [0] * 30, epochs, make(optimizer), interval))


def test_decays_stepped_at_every_batch_fail():
    for make in (
        lambda o: schedules.StepLR(o, 10),
        lambda o: schedules.ExponentialLR(o, 0.8),
        lambda o: schedules.MultiStepLR(o, [5, 10, 15]),
        lambda o: schedules.OneCycleLR(o, 0.1, total_steps=20),
        lambda o: schedules.LinearLR(o, 1.0, 1e-4, 20),
    ):
        assert lasts(make, "step").faults == ("schedule_decays_to_zero",)


def test_usual_schedules_pass():
    for make in (
        lambda o: schedules.StepLR(o, 10),
        lambda o: schedules.ExponentialLR(o, 0.8),
        lambda o: schedules.CosineAnnealingLR(o, 20),
        lambda o: schedules.CosineAnnealingWarmRestarts(o, 5),
        lambda o: schedules.LinearLR(o, 1.0, 0.0, 20),
        lambda o: schedules.SequentialLR(
            o, [schedules.LinearLR(o, 0.01, 1.0, 2), schedules.CosineAnnealingLR(o, 18)], [2]
        ),
        lambda o: schedules.CyclicLR(o, 0.001, 0.1, cycle_momentum=False),
        lambda o: schedules.OneCycleLR(o, 0.1, total_steps=20),
    ):
        assert lasts(make).verdict is Verdict.PASS, lasts(make)


def test_a_rate_of_zero_is_another_question():
    assert schedule_lasts(PlannedRates(10, 0.0, [0.0])).verdict is Verdict.SKIP
    assert schedule_lasts(PlannedRates(10, 0.0, [])).verdict is Verdict.SKIP
