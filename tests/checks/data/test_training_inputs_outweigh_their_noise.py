"""`data/training_inputs_outweigh_their_noise`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.training_inputs_outweigh_their_noise import training_inputs_outweigh_their_noise
from diagkit.evidence.data import InputDependence
from diagkit.finding import Finding, Verdict
from diagkit.probes.input_dependence import input_dependence


def judged(noise: float) -> Finding:
    g = torch.Generator().manual_seed(0)
    centres = torch.randn(4, 20, generator=g)
    parts = []
    for rows, size in ((900, noise), (400, 0.0)):
        y = torch.randint(0, 4, (rows,), generator=g)
        x = centres[y] + 0.5 * torch.randn(rows, 20, generator=g)
        parts.append([(x + size * torch.randn(rows, 20, generator=g), y)])
    return training_inputs_outweigh_their_noise(input_dependence(parts[0], "classification", parts[1]))


def test_noise_that_drowns_the_training_part_is_found() -> None:
    assert judged(4.0).faults == ("noisy_inputs",)


def test_light_augmentation_passes() -> None:
    assert judged(0.0)
    assert judged(0.3)


def test_without_validation_nothing_is_said() -> None:
    assert training_inputs_outweigh_their_noise(InputDependence(900, 0.8, 0.03)).verdict is Verdict.SKIP
