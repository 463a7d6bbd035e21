from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from diagkit.checks.environment.scores_in_eval_mode import scores_in_eval_mode
from diagkit.probes.repeated_evaluation import repeated_evaluation

VAL = [(torch.ones(8, 4), torch.zeros(8, 1))]


def evaluate(model: nn.Module, batches: Any) -> dict[str, float]:
    return {"mean": float(model(batches[0][0]).mean().detach())}  # never calls model.eval()


def test_dropout_in_train_mode_fails() -> None:
    found = repeated_evaluation(nn.Sequential(nn.Linear(4, 1), nn.Dropout(0.5)), VAL, F.mse_loss, evaluate)
    assert scores_in_eval_mode(found).faults == ("evaluation_in_train_mode",)


def test_train_mode_without_dropout_changes_nothing() -> None:
    assert scores_in_eval_mode(repeated_evaluation(nn.Sequential(nn.Linear(4, 1)), VAL, F.mse_loss, evaluate))


def test_without_the_authors_evaluation_there_is_nothing_to_judge() -> None:
    found = repeated_evaluation(nn.Sequential(nn.Linear(4, 1), nn.Dropout(0.5)), VAL, F.mse_loss)
    assert str(scores_in_eval_mode(found)).startswith("SKIP")
