"""What does the trained model answer: the same for everybody, the neighbour's target, or its input?

Source: Slavv, 37 reasons why your neural network is not working (2017); Karpathy's recipe (2019): visualize
predictions."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Predict, is_ids, tensors
from diagkit.evidence.wrong_thing import TrainedAnswers
from diagkit.guard import evaluating
from diagkit.probes._asking import answer, class_axes, parts_of
from diagkit.probes._positions import VOID, padding, place_in_inputs, shifted_pair
from diagkit.subject import NotGiven

MAX_EXAMPLES = 512
SHIFTS = (0, 1, -1, 2, -2)


def trained_answers(
    trained_model: nn.Module, train: Iterable[Any], val: Iterable[Any] | None = None, predict: Predict | None = None
) -> TrainedAnswers:
    """Answer some validation examples, training examples where there are none.

    Raises:
        NotGiven: targets are no tensor, or there is no example.
    """
    spreads, places, copies, count = [], {shift: [0, 0] for shift in SHIFTS}, [], 0
    expected, found = 0, False
    with evaluating(trained_model):
        for inputs, targets in map(parts_of, val if val is not None else train):
            if len(tensors(targets)) != 1:
                raise NotGiven("targets are not one tensor")
            target, prediction = tensors(targets)[0], answer(trained_model, inputs, predict)
            axes = class_axes(prediction, target)
            spreads.append(_answers(prediction, target, axes))
            if axes and target.dim() == 2:
                place = place_in_inputs(inputs, target)
                found = place is not None
                expected = 1 - place[1] if place and place[1] in (0, 1) else 0
                _count_places(places, prediction.argmax(axes[-1]).reshape(target.shape), target)
            copies.append(_copies(inputs, prediction, target, axes))
            count += len(target)
            if count >= MAX_EXAMPLES:
                break
    if not spreads:
        raise NotGiven("there is no example")
    known = [pair for pair in copies if pair is not None]
    copied = [sum(pair[i] for pair in known) / len(known) for i in (0, 1)] if known else [None, None]
    return TrainedAnswers(
        answers=sum(len(its) for its, _ in spreads),
        spread=_spread(spreads),
        places={str(shift): hits / total for shift, (hits, total) in places.items() if total},
        expected=expected,
        in_inputs=found,
        copied=copied[0],
        copied_by_target=copied[1],
    )


def _answers(prediction: Tensor, target: Tensor, axes: list[int]) -> tuple[Tensor, Tensor | None]:
    """Return answers `(answers, numbers)` that can be compared, and number targets of the same shape."""
    if axes:
        scores = prediction.movedim(axes[-1], -1).flatten(0, -2)
        return scores.softmax(-1), None
    if bool(((target == 0) | (target == 1)).all()) and prediction.numel() == target.numel():
        inside = bool(((prediction >= 0) & (prediction <= 1)).all())
        return (prediction if inside else prediction.sigmoid()).reshape(len(target), -1), None
    return prediction.reshape(len(prediction), -1), target.float().reshape(len(target), -1)


def _spread(parts: list[tuple[Tensor, Tensor | None]]) -> float | None:
    if len({answers.shape[1:] for answers, _ in parts}) > 1:
        return None
    answers = torch.cat([answers for answers, _ in parts]).double()
    if len(answers) < 8 or not bool(answers.isfinite().all()):
        return None
    if parts[0][1] is None:
        return float((answers - answers.mean(0)).abs().sum(1).mean() / (2 if answers.shape[1] > 1 else 1))
    truths = torch.cat([truths for _, truths in parts if truths is not None]).double()
    if len(truths) != len(answers) or float(truths.std(0).max()) == 0:
        return None
    return float(answers.std(0).mean() / truths.std(0).mean())


def _count_places(places: dict[int, list[int]], answers: Tensor, target: Tensor) -> None:
    for shift in SHIFTS:
        if target.shape[1] <= abs(shift) + 2:
            continue
        its, there = shifted_pair(answers, target, shift, 1)
        kept = there != VOID
        fill = padding(target)
        kept &= (there != fill) if fill is not None else kept
        hits, total = places[shift]
        places[shift] = [hits + int((its == there)[kept].sum()), total + int(kept.sum())]


def _copies(inputs: Inputs, prediction: Tensor, target: Tensor, axes: list[int]) -> tuple[float, float] | None:
    """Return how far answers and targets repeat the first input; None where they could not."""
    source = tensors(inputs)[0]
    if axes and is_ids(source) and source.shape == target.shape and target.dim() == 2:
        fill = padding(target)
        kept = (target != VOID) & (target != (VOID if fill is None else fill))
        answers = prediction.argmax(axes[-1]).reshape(target.shape)
        return (float((answers == source)[kept].float().mean()), float((target == source)[kept].float().mean()))
    same_shape = source.shape == target.shape == prediction.shape and source.dim() > 1
    if axes or not same_shape or not source.is_floating_point() or bool((source == target).all()):
        return None
    change = float(((target - source) ** 2).mean())
    return 1 - float(((prediction - source) ** 2).mean()) / max(change, 1e-12), 0.0
