"""How well does another kind of learner do the same task with the same examples?

A random forest and nearest neighbours need no tuning and no gradient. Where they do clearly better on validation
examples than the network does even on its own training examples, the network cannot express the task, or did not
learn it.

Source: Google's Deep learning tuning playbook; Karpathy's recipe (2019): compare with dumb baselines.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from diagkit.batches import Predict, call, matrix, output, pairs
from diagkit.evidence.fit import IndependentLearner
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

DEEP = True
MAX_ROWS = 2000
MAX_COLUMNS = 1000
MIN_ROWS = 50
TREES = 60
Numbers = NDArray[np.float64]


def independent_learner(
    trained_model: nn.Module, train: Iterable[Any], val: Iterable[Any], task: str, predict: Predict | None = None
) -> IndependentLearner:
    """Fit a forest and nearest neighbours on training examples and compare on validation examples.

    Raises:
        NotGiven: the task is not one target per row of numbers.
    """
    if task not in ("classification", "binary", "regression"):
        raise NotGiven("sequences have no simple learner to compare with")
    (x, y), (x_val, y_val) = (_table(its) for its in (train, val))
    if x.shape[1] != x_val.shape[1] or x.shape[1] > MAX_COLUMNS or min(len(x), len(x_val)) < MIN_ROWS:
        raise NotGiven(f"{MIN_ROWS} rows of one width, at most {MAX_COLUMNS}, are needed")
    on_train, on_val = (
        _guesses(trained_model, its, task, len(want), predict) for its, want in ((train, y), (val, y_val))
    )
    best = max(_learners(x, y, task), key=lambda pair: _skill(pair[1](x_val), y_val, y, task))
    its = best[1](x_val)
    return IndependentLearner(
        learner=best[0],
        train_rows=len(x),
        val_rows=len(x_val),
        its_skill=_skill(its, y_val, y, task),
        model_skill=_skill(_scaled(on_val, y_val, task), y_val, y, task),
        model_train_skill=_skill(_scaled(on_train, y, task), y, y, task),
        spread=_spread(its, _scaled(on_val, y_val, task), y_val, y, task),
    )


def _table(batches: Iterable[Any]) -> tuple[Numbers, Numbers]:
    table = matrix(batches)
    if table is None or table[1].dim() == 0 or table[1].numel() != len(table[1]):
        raise NotGiven("every row must be numbers of one shape with one target")
    inputs, targets = table[0][:MAX_ROWS].numpy(), table[1].reshape(-1)[:MAX_ROWS].numpy()
    if not (np.isfinite(inputs).all() and np.isfinite(targets).all()):
        raise NotGiven("inputs or targets are not finite")
    return inputs, targets


def _guesses(model: nn.Module, batches: Iterable[Any], task: str, count: int, predict: Predict | None) -> Numbers:
    """Return `(rows,)`, what the model says: a class, or a number."""
    found = []
    with evaluating(model):
        for inputs, targets in pairs(batches):
            scores = output(call(model, inputs, predict)).double()
            found.append(_one_each(scores, targets, task))
    return np.concatenate(found)[:count]


def _one_each(scores: Tensor, targets: Tensor, task: str) -> Numbers:
    answer: Numbers
    if task == "classification":
        if scores.dim() != 2 or scores.shape[1] < 2:
            raise NotGiven("outputs are not one score per class")
        answer = scores.argmax(1).double().cpu().numpy()
        return answer
    if scores.numel() != targets.numel():
        raise NotGiven("outputs and targets differ in number")
    answer = scores.reshape(-1).cpu().numpy()
    return answer


def _learners(x: Numbers, y: Numbers, task: str) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if task == "regression":
        forest, near = RandomForestRegressor(TREES, max_features=0.5, n_jobs=1, random_state=0), KNeighborsRegressor(5)
    else:
        forest, near = RandomForestClassifier(TREES, n_jobs=1, random_state=0), KNeighborsClassifier(5)
    models = {"a random forest": forest, "nearest neighbours": make_pipeline(StandardScaler(), near)}
    return [(name, its.fit(x, y).predict) for name, its in models.items()]


def _hits(guesses: Numbers, truth: Numbers, task: str) -> Numbers:
    """Return 1 where right; a score of two classes is cut where it is right most often, 0 or 0.5."""
    if task == "classification":
        return np.asarray(guesses == truth, dtype=np.float64)
    high = truth > truth.min()
    cuts = [((guesses > level) == high).astype(float) for level in (0.0, 0.5)]
    return max(cuts, key=lambda hits: float(hits.mean()))


def _scaled(guesses: Numbers, truth: Numbers, task: str) -> Numbers:
    """Return numbers in the unit of the targets, whatever unit the model answers in (a logarithm, a scaled target)."""
    if task != "regression" or not np.isfinite(guesses).all() or guesses.std() < 1e-12:
        return guesses
    slope, offset = np.polyfit(guesses, truth, 1)
    scaled: Numbers = slope * guesses + offset
    return scaled


def _skill(guesses: Numbers, truth: Numbers, known: Numbers, task: str) -> float:
    """Return 1 - error / error without inputs."""
    if task == "regression":
        return 1 - float(((guesses - truth) ** 2).mean() / max(float(((truth - known.mean()) ** 2).mean()), 1e-12))
    values, counts = np.unique(known, return_counts=True)
    chance = float((truth != values[counts.argmax()]).mean())
    return 1 - float(1 - _hits(guesses, truth, task).mean()) / max(chance, 1e-9)


def _spread(one: Numbers, two: Numbers, truth: Numbers, known: Numbers, task: str) -> float:
    """Return the standard error of the difference in skill, over examples."""
    if task == "regression":
        differences = (one - truth) ** 2 - (two - truth) ** 2
        return float(
            differences.std() / math.sqrt(len(truth)) / max(float(((truth - known.mean()) ** 2).mean()), 1e-12)
        )
    values, counts = np.unique(known, return_counts=True)
    chance = float((truth != values[counts.argmax()]).mean())
    differences = _hits(one, truth, task) - _hits(two, truth, task)
    return float(differences.std() / math.sqrt(len(truth)) / max(chance, 1e-9))
