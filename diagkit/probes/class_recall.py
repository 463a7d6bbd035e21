"""How well does the trained model find each class, and would it find more if its classes had other names?

A model that knows the classes but whose validation labels are numbered differently is nearly always wrong, and nearly
always right after a renaming. The renaming is found on one half of the validation examples and tried on the other.

Source: the assignment problem, Kuhn (1955), as clustering accuracy uses it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from diagkit.batches import Predict, call, output, pairs
from diagkit.evidence.data import ClassRecall
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

Pairs = NDArray[np.int64]  # (examples, 2): predicted and true class
DEEP = True
MAX_CLASSES = 200


def class_recall(
    trained_model: nn.Module,
    train: Iterable[Any],
    task: str,
    val: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> ClassRecall:
    """Compare predicted and true classes.

    Raises:
        NotGiven: there is not one class for each example.
    """
    if task not in ("classification", "binary"):
        raise NotGiven("there is not one class for each example")
    seen = _predictions(trained_model, train, predict)
    fresh = _predictions(trained_model, val, predict) if val is not None else seen[:0]
    judged = fresh if len(fresh) else seen
    return ClassRecall(
        recalls={str(k): float((judged[judged[:, 1] == k][:, 0] == k).mean()) for k in np.unique(judged[:, 1])},
        examples={str(k): int((judged[:, 1] == k).sum()) for k in np.unique(judged[:, 1])},
        train_accuracy=float((seen[:, 0] == seen[:, 1]).mean()),
        val_accuracy=float((fresh[:, 0] == fresh[:, 1]).mean()) if len(fresh) else float("nan"),
        renamed_accuracy=(_renamed(fresh[::2], fresh[1::2]) + _renamed(fresh[1::2], fresh[::2])) / 2,
    )


def _predictions(model: nn.Module, batches: Iterable[Any], predict: Predict | None) -> Pairs:
    found = []
    with evaluating(model):
        for inputs, targets in pairs(batches):
            if not isinstance(targets, Tensor) or not targets.dim() or targets.numel() != len(targets):
                raise NotGiven("there is not one class for each example")
            scores = _scores(model, inputs, predict)
            true = targets.reshape(-1)
            if scores.dim() == 2 and scores.shape[1] > 1 and len(scores) == len(true):
                guesses = scores.argmax(1)
            elif scores.numel() == len(true):
                inside = bool(((scores >= 0) & (scores <= 1)).all())
                guesses = (scores.reshape(-1) > (0.5 if inside else 0.0)).long()
            else:
                raise NotGiven("the output has no score for each class")
            found.append(torch.stack([guesses.cpu(), true.long().cpu()], 1).numpy())
    made: Pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    if len(np.unique(made)) > MAX_CLASSES:
        raise NotGiven(f"there are more than {MAX_CLASSES} classes")
    return made


def _scores(model: nn.Module, inputs: Any, predict: Predict | None) -> Tensor:
    try:
        return output(call(model, inputs, predict))
    except Exception as error:  # anyone's model
        raise NotGiven(f"the trained model raised {type(error).__name__}: {error}") from error


def _renamed(learn: Pairs, judge: Pairs) -> float:
    """Return the accuracy on one half after renaming the predicted classes as fits the other half best."""
    from scipy.optimize import linear_sum_assignment  # 0.1 s, for classes only

    if not len(learn) or not len(judge):
        return float("nan")
    classes = int(max(learn.max(), judge.max(), 0)) + 1
    table = np.zeros((classes, classes))
    known = learn[(learn >= 0).all(1)]
    np.add.at(table, (known[:, 0], known[:, 1]), 1)
    names = linear_sum_assignment(-table)[1]
    return float((names[judge[:, 0]] == judge[:, 1]).mean())
