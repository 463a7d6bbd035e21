"""Does the author's evaluation give the same figure when the same examples come in other batches?

A share of hits or a mean loss is a property of the examples, not of how they are cut into batches. The evaluation is
run with the batches as they are and with all examples in one batch. Where a name says accuracy and the outputs are
scores of classes, the hits are also counted here.

Source: https://github.com/mlcommons/training/issues/89.
"""

import math
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from diagkit.batches import Predict, call, is_ids, output, pairs, rebuilt, split, tensors
from diagkit.evidence.measurement import Recount
from diagkit.guard import evaluating, untouched
from diagkit.probes.repeated_evaluation import mode_matters
from diagkit.subject import Evaluate, NotGiven

NO_FIGURES = ("n", "count", "batches", "steps", "examples", "samples", "rows")  # they count what they were given
ACCURACY = ("accuracy", "acc", "top1", "top_1", "val_accuracy", "val_acc", "test_accuracy", "test_acc")
CLOSE = 1e-4  # outputs of one example alone and among others

Figures = dict[str, float]
Row = tuple[str, float, float, float]  # see `Recount`


class Drawn(NotGiven):
    """The evaluation draws, so that figures differ for another reason; one that agrees does so by chance."""


def recount(
    trained_model: nn.Module,
    evaluate: Evaluate,
    val: Iterable[Any] | None = None,
    test: Iterable[Any] | None = None,
    val_loader: Iterable[Any] | None = None,
    test_loader: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> Recount:
    """Evaluate validation and test set as they are and as one batch.

    Raises:
        NotGiven: the examples cannot be put into one batch, outputs depend on the batch, or the evaluation raises or
            draws.
    """
    found: list[Row] = []
    reasons = []
    for name, batches, loader in (("val", val, val_loader), ("test", test, test_loader)):
        if batches is not None:
            try:
                found += _compare(trained_model, evaluate, name, batches, loader, predict)
            except Drawn:
                raise
            except NotGiven as reason:
                reasons.append(str(reason))
    if not found:
        raise NotGiven(reasons[0] if reasons else "neither val nor test is given")
    return Recount(*map(list, zip(*found, strict=True)))


def _compare(
    model: nn.Module,
    evaluate: Evaluate,
    which: str,
    batches: Iterable[Any],
    loader: Any,
    predict: Predict | None,
) -> list[Row]:
    if getattr(batches, "examples", None) is not None:
        raise NotGiven("a recipe's score is kept example by example")
    given = list(batches)
    whole = _joined(given)
    if not _repeats(model, given, whole, predict):
        raise NotGiven("outputs depend on the other examples of a batch, so figures must differ")
    as_given, again, one = _three(model, evaluate, given, whole, loader, predict)
    counts = _hits(model, whole, predict)
    result = []
    for name, figure in as_given.items():
        if name.lower() in NO_FIGURES or name.lower().startswith(("n_", "num_")):
            continue
        if not math.isclose(figure, again.get(name, math.nan), rel_tol=1e-6, abs_tol=1e-9) and not math.isnan(figure):
            raise Drawn(f"{name} is another one when the same is evaluated again")
        if name in one:
            nearest = min(counts, key=lambda count: abs(count - figure), default=math.nan)
            counted = nearest if name.lower() in ACCURACY else math.nan
            result.append((f"{which} {name}", figure, one[name], counted))
    return result


def _three(
    model: nn.Module, evaluate: Evaluate, given: list[Any], whole: Any, loader: Any, predict: Predict | None
) -> list[Figures]:
    """Evaluate twice as given and once as one batch, with lists, or with loaders where the evaluation needs one."""
    try:
        return [_figures(model, evaluate, its, predict, seed) for seed, its in enumerate((given, given, [whole]))]
    except NotGiven:
        raise
    except Exception as error:
        if not isinstance(loader, DataLoader) or isinstance(loader.dataset, IterableDataset):
            raise NotGiven(f"the evaluation raises {type(error).__name__}: {error}") from error
    try:
        size = len(loader.dataset)  # type: ignore[arg-type]
        one = DataLoader(loader.dataset, batch_size=size, collate_fn=loader.collate_fn)
        return [_figures(model, evaluate, its, predict, seed) for seed, its in enumerate((loader, loader, one))]
    except Exception as error:
        raise NotGiven(f"the evaluation raises {type(error).__name__}: {error}") from error


def _joined(batches: list[Any]) -> Any:
    """Return one batch with the examples of all.

    Raises:
        NotGiven: tensors differ in shape, or do not have one row per example.
    """
    parts = [tensors(batch) for batch in batches]
    if not parts or not parts[0]:
        raise NotGiven("there is no batch")
    shapes = {tuple((part.shape[1:], part.dtype) for part in its) for its in parts if all(p.dim() for p in its)}
    if len(shapes) != 1 or any(part.dim() == 0 or len(part) != len(its[0]) for its in parts for part in its):
        raise NotGiven("the examples cannot be put into one batch")
    columns = iter([torch.cat(column) for column in zip(*parts, strict=True)])
    return rebuilt(batches[0], lambda _: next(columns))


def _repeats(model: nn.Module, given: list[Any], whole: Any, predict: Predict | None) -> bool:
    """Return whether the outputs are the same in both cuts."""
    try:
        with evaluating(model):
            apart = torch.cat([output(call(model, inputs, predict)) for inputs, _ in pairs(given)])
            (inputs, _) = next(pairs([whole]))
            together = output(call(model, inputs, predict))
    except Exception as error:
        raise NotGiven(f"the model does not run on one batch of all: {type(error).__name__}") from error
    if apart.shape != together.shape:
        return False
    return torch.allclose(apart.float(), together.float(), rtol=CLOSE, atol=CLOSE, equal_nan=True)


def _figures(model: nn.Module, evaluate: Evaluate, batches: Any, predict: Predict | None, seed: int) -> Figures:
    """Evaluate once; another seed gives away what is drawn.

    Raises:
        NotGiven: the model is in train mode meanwhile, and that matters.
    """
    training: list[bool] = []
    hook = model.register_forward_pre_hook(lambda module, _: training.append(any(m.training for m in module.modules())))
    try:
        with untouched(model):
            for plant in (random.seed, np.random.seed, torch.manual_seed):
                plant(seed)
            figures = evaluate(model, batches)
    finally:
        hook.remove()
    if any(training) and mode_matters(model, split(next(iter(batches)))[0], predict):
        raise NotGiven("the evaluation runs in train mode, which is another fault")
    single = {str(k): v.item() if isinstance(v, Tensor) and v.numel() == 1 else v for k, v in figures.items()}
    return {name: float(value) for name, value in single.items() if isinstance(value, int | float)}


def _hits(model: nn.Module, whole: Any, predict: Predict | None) -> list[float]:
    """Count the hits of scores `(rows, classes)` or `(rows, length, classes)` in each way that may be meant.

    Positions below 0 are left out; in sequences also those of id 0, or whole sequences count. None for any other form,
    and none for models that are given a second input, which decode in a way of their own.
    """
    inputs, targets = next(pairs([whole]))
    if len(tensors(inputs)) != 1 or not isinstance(targets, Tensor) or not is_ids(targets):
        return []
    with evaluating(model):
        scores = output(call(model, inputs, predict))
    if scores.shape[:-1] != targets.shape or scores.dim() not in (2, 3) or scores.shape[-1] < 2:
        return []
    right, known = scores.argmax(-1) == targets, targets >= 0
    counts = [right[known], right[known & (targets != 0)]]
    if scores.dim() == 2:
        return [float(counts[0].double().mean())]
    return [float(its.double().mean()) for its in (*counts, (right | ~known).all(1)) if len(its)]
