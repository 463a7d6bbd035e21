"""Does one input column predict the target by itself?

Every column is tried alone: by rank correlation with a number, by the area under the ROC curve for two classes, by how
well a small tree on it names one of more classes. A column made from the target is nearly perfect while the others
together are not.

Source: Kaufman et al., Leakage in data mining: formulation, detection, and avoidance (2012).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from diagkit.batches import pairs, tensors
from diagkit.evidence.measurement import ColumnSkill
from diagkit.subject import NotGiven

DEEP = True
MAX_ROWS = 2000
MAX_COLUMNS = 400
MIN_ROWS = 50
LEAVES = 4  # of the small tree, for each class
Numbers = NDArray[np.float64]


def column_skill(train: Iterable[Any], task: str) -> ColumnSkill:
    """Rank the input columns by how well each predicts the target.

    Raises:
        NotGiven: there is no single target per row, or no columns.
    """
    inputs, targets = _table(train)
    levels = np.unique(targets)
    if len(levels) < 2:
        raise NotGiven("the target has one value")
    classes = task in ("classification", "binary")
    measure = "accuracy above the majority's" if classes and len(levels) > 2 else "area under the ROC curve"
    measure = measure if classes else "rank correlation"
    skills = [_skill(column, targets, classes, len(levels)) for column in inputs.T]
    order = np.argsort(skills)
    best, second = int(order[-1]), skills[order[-2]]
    rest = np.delete(inputs, best, axis=1)
    together = _together(rest, targets, classes) if skills[best] > 0.9 else float("nan")
    filled = _filled(inputs[:, best], targets == levels[-1]) if len(levels) == 2 else float("nan")
    return ColumnSkill(
        len(inputs), inputs.shape[1], float(skills[best]), float(second), best, measure, together, filled
    )


def _filled(column: Numbers, ones: Any) -> float:
    """Return how many more of one class than of the other have the column's commonest value, as a share."""
    values, counts = np.unique(column, return_counts=True)
    common = column == values[counts.argmax()]
    return float(abs(common[ones].mean() - common[~ones].mean()))


def _table(train: Iterable[Any]) -> tuple[Numbers, Numbers]:
    """Return `(rows, columns)` and `(rows,)`."""
    xs, ys = [], []
    for inputs, targets in pairs(train):
        parts = tensors(inputs)
        single = isinstance(targets, Tensor) and targets.dim() > 0 and targets.numel() == len(targets)
        if not single or any(part.dim() == 0 or len(part) != len(targets) for part in parts):
            raise NotGiven("every row must have one target and its own inputs")
        xs.append(np.concatenate([_numbers(part).reshape(len(part), -1) for part in parts], 1))
        ys.append(_numbers(targets).reshape(-1))
    if not xs or len({x.shape[1] for x in xs}) > 1:
        raise NotGiven("rows differ in their number of columns")
    inputs, labels = np.concatenate(xs)[:MAX_ROWS], np.concatenate(ys)[:MAX_ROWS]
    finite = np.isfinite(inputs).all(1) & np.isfinite(labels)
    inputs, labels = inputs[finite], labels[finite]
    inputs = inputs[:, inputs.std(0) > 0] if len(inputs) else inputs
    if not 3 <= inputs.shape[1] <= MAX_COLUMNS or len(inputs) < MIN_ROWS:
        raise NotGiven(f"between 3 and {MAX_COLUMNS} columns and {MIN_ROWS} rows are needed, got {inputs.shape[::-1]}")
    return inputs, labels


def _numbers(tensor: Tensor) -> Numbers:
    numbers: Numbers = tensor.detach().cpu().double().numpy()
    return numbers


def _skill(column: Numbers, targets: Numbers, classes: bool, levels: int) -> float:
    from scipy import stats  # 0.3 s, for data with columns only

    if not classes:
        return abs(float(stats.spearmanr(column, targets).statistic))
    if levels == 2:
        high = targets == targets.max()
        statistic = stats.mannwhitneyu(column[high], column[~high]).statistic / (high.sum() * (~high).sum())
        return abs(2 * float(statistic) - 1)
    return _tree_skill(column, targets, levels)


def _tree_skill(column: Numbers, targets: Numbers, levels: int) -> float:
    """Return 1 - error / error of the majority, of a small tree on rows it has not seen."""
    from sklearn.tree import DecisionTreeClassifier

    learn = np.arange(len(column)) % 2 == 0
    tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES * levels).fit(column[learn, None], targets[learn])
    values, counts = np.unique(targets[learn], return_counts=True)
    chance = float((targets[~learn] != values[counts.argmax()]).mean())
    return 1 - float((tree.predict(column[~learn, None]) != targets[~learn]).mean()) / max(chance, 1e-9)


def _together(inputs: Numbers, targets: Numbers, classes: bool) -> float:
    """Return the share of errors or of variance that a forest on these columns explains, on rows it has not seen."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    learn = np.arange(len(inputs)) % 2 == 0
    kind = RandomForestClassifier if classes else RandomForestRegressor
    guess = (
        kind(60, random_state=0, n_jobs=1, max_features="sqrt")
        .fit(inputs[learn], targets[learn])
        .predict(inputs[~learn])
    )
    truth = targets[~learn]
    if classes:
        values, counts = np.unique(targets[learn], return_counts=True)
        return 1 - float((guess != truth).mean()) / max(float((truth != values[counts.argmax()]).mean()), 1e-9)
    return 1 - float(((guess - truth) ** 2).mean() / max(truth.var(), 1e-12))
