import copy

from torch import nn

from diagkit.checks.environment.scores_the_trained_weights import scores_the_trained_weights
from diagkit.probes.loaded_weights import loaded_weights


def test_a_part_that_was_not_loaded_is_named() -> None:
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    trained = copy.deepcopy(model)
    trained[0].weight.data += 1
    trained[1].running_mean += 1
    half = copy.deepcopy(trained)
    half[1].running_mean.zero_()
    assert scores_the_trained_weights(loaded_weights(model, trained, trained))
    finding = scores_the_trained_weights(loaded_weights(model, trained, half))
    assert finding.faults == ("weights_not_loaded",)
    assert "1.running_mean" in finding.text
