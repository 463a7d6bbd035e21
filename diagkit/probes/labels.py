"""Which labels are there, does the output have a place for each, and how much does each weigh in the loss?

The weight of a label is the size of the loss' gradient at an output that favours no class, so weights are seen wherever
they are kept. Labels that the loss leaves out (padding, -100) have no gradient.

Source: Buda, Maki and Mazurowski, A systematic study of the class imbalance problem (2018).
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, output, pairs, rebuilt, tensors
from diagkit.evidence.data import Labels
from diagkit.guard import evaluating, generators
from diagkit.subject import NotGiven

EXTREME = 20.0  # a score without doubt
MAX_LABELS = 1000


def labels(model: nn.Module, train: Iterable[Any], loss_fn: Loss, task: str, predict: Predict | None = None) -> Labels:
    """Count the training labels and ask the loss about them.

    Raises:
        NotGiven: the targets are not labels, or the model cannot be called.
    """
    examples = list(pairs(train))
    if not all(isinstance(targets, Tensor) and targets.dim() and targets.numel() for _, targets in examples):
        raise NotGiven("targets are not one tensor of labels")
    counts = Counter(value for _, targets in examples for value in targets.reshape(-1).tolist())
    whole = all(is_ids(targets) for _, targets in examples)
    shares = not whole and task != "binary" and len(counts) > 2
    if shares or len(counts) > MAX_LABELS or (task == "regression" and whole):
        raise NotGiven("targets are not labels")
    per_example = all(targets.numel() == len(targets) for _, targets in examples)
    neutral = _neutral(model, examples[0][0], predict)
    classes = _classes(output(neutral), examples[0][1]) if whole and task != "binary" else 2
    with generators():
        outside = _outside(list(counts), classes, neutral, examples[0][1], loss_fn, whole and task != "binary")
        weights = _weights(list(counts), neutral, examples[0][1], loss_fn) if per_example else []
    return Labels(
        counts={_name(label): count for label, count in counts.items()} if per_example else {},
        masses={_name(label): counts[label] * weight for label, weight in zip(counts, weights, strict=False)},
        classes=classes,
        outside=[_name(label) for label in outside],
        inputs_are_ids=all(is_ids(part) for part in tensors(examples[0][0])),
    )


def _name(label: float) -> str:
    return f"{label:g}"


def _neutral(model: nn.Module, inputs: Any, predict: Predict | None) -> Any:
    """Return outputs of the model's form that favour no class: scores of 0, probabilities of 0.5."""
    try:
        with evaluating(model):
            outputs = call(model, inputs, predict)
            middle = 0.5 if bool(((output(outputs) >= 0) & (output(outputs) <= 1)).all()) else 0.0
            return rebuilt(outputs, _filled(middle))
    except Exception as error:
        raise NotGiven(f"the model cannot be called: {type(error).__name__}: {error}") from error


def _classes(outputs: Tensor, targets: Tensor) -> int:
    """Return the length of the axis of `outputs` that `targets` lacks, 0 where there is none."""
    if outputs.dim() == targets.dim() + 1:
        return outputs.shape[-1] if outputs.shape[:-1] == targets.shape else outputs.shape[1]
    return outputs.shape[1] if outputs.dim() == 2 and targets.numel() == len(outputs) else 0


def _outside(
    found: list[float], classes: int, neutral: Any, targets: Tensor, loss_fn: Loss, by_class: bool
) -> list[float]:
    """Return the labels that have no place in the output and that the loss takes part in nevertheless."""
    wrong = [label for label in found if label < 0 or label > classes - 1]
    if not by_class:  # the loss of a probability has no floor for a label outside 0 to 1
        return [label for label in wrong if _lowest(label, neutral, targets, loss_fn) < -1]
    if classes < 2 or _gradient([0] * len(targets), neutral, targets, loss_fn) is None:
        return []
    taken = {label: _gradient([label] * len(targets), neutral, targets, loss_fn) for label in wrong}
    return [label for label, its in taken.items() if its is None or (label < 0 and bool(its.nan_to_num(0).any()))]


def _lowest(label: float, neutral: Any, targets: Tensor, loss_fn: Loss) -> float:
    """Return the lowest loss that any decided output reaches for one label."""
    probabilities = bool((output(neutral) == 0.5).all())
    values = []
    for decided in (1e-6, 1 - 1e-6) if probabilities else (-EXTREME, EXTREME):
        try:
            values.append(float(loss_fn(rebuilt(neutral, _filled(decided)), torch.full_like(targets, label))))
        except Exception:  # the loss refuses the label
            return -float("inf")
    return min(values)


def _filled(value: float) -> Callable[[Tensor], Tensor]:
    return lambda part: torch.full_like(part, value) if part.is_floating_point() else part


def _weights(found: list[float], neutral: Any, targets: Tensor, loss_fn: Loss) -> list[float]:
    """Return the weight of each label in a batch that holds every one as often; nothing where that cannot be had."""
    if not 2 <= len(found) <= len(targets):
        return []
    gradient = _gradient([found[i % len(found)] for i in range(len(targets))], neutral, targets, loss_fn)
    if gradient is None or len(gradient) != len(targets):
        return []
    sizes = gradient.reshape(len(targets), -1).norm(dim=1)[: len(found)]
    return sizes.tolist() if bool(torch.isfinite(sizes).all()) and float(sizes.max()) > 0 else []


def _gradient(values: list[float], neutral: Any, targets: Tensor, loss_fn: Loss) -> Tensor | None:
    """Return the gradient of the loss with respect to the output, one label for each row; None where it raises."""
    wanted = torch.tensor(values).to(targets).reshape(-1, *[1] * (targets.dim() - 1)).expand_as(targets).contiguous()
    outputs = rebuilt(neutral, lambda part: part.clone().requires_grad_() if part.is_floating_point() else part)
    try:
        with torch.enable_grad():
            loss_fn(outputs, wanted).backward()
    except Exception:  # the loss refuses the label
        return None
    gradient = output(outputs).grad
    return torch.zeros_like(output(outputs)) if gradient is None else gradient.detach()
