"""Does the order of inputs reach the outputs of a model?

Positions are shuffled, and compared with other contents at the same positions: a bag of tokens gives the same answer
for every order, to the last digit, trained or not. Where one label belongs to a whole sequence, order need not
matter; whether it does is asked of the data, by counting tokens and pairs of them with and without order (naive
Bayes).

Source: Vaswani et al., Attention is all you need (2017), section 3.5: attention has no notion of order.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Predict, is_ids, rebuilt, tensors
from diagkit.evidence.wrong_thing import OrderFlow
from diagkit.guard import evaluating
from diagkit.probes._asking import affordable, answer, first_examples, side_by_side
from diagkit.probes._positions import padding, place_in_inputs
from diagkit.subject import NotGiven

ROWS = 16
MAX_LENGTH = 64  # for counting pairs
MAX_FEATURES = 4_000_000


def order_flow(
    model: nn.Module,
    train: Iterable[Any],
    task: str,
    val: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> OrderFlow:
    """Shuffle positions of the first input in eval mode.

    Raises:
        NotGiven: inputs are no sequences, or their order has no say in this task.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if not side_by_side(inputs, targets) or len(tensors(targets)[0]) < 4:
        raise NotGiven("examples do not stand along the first axis, or are too few")
    source, target = tensors(inputs)[0], tensors(targets)[0]
    if not is_ids(source) or source.dim() != 2 or source.shape[1] < 4:
        raise NotGiven("the first input is no sequence of ids")
    place = place_in_inputs(inputs, target)
    decoder = place is not None and place[0] > 0
    model_of_language = place is not None and place[:1] == (0,) and place[2] == 1 and place[1] > 0
    if not decoder and not model_of_language and target.dim() > 1:
        raise NotGiven("each position has a target of its own, which may not depend on the others")
    with evaluating(model):
        before = answer(model, inputs, predict)
        moved = source[:, :-1] if model_of_language else source
        fill = padding(source)
        shuffled = torch.cat([_shuffled(moved, fill), source[:, moved.shape[1] :]], 1)
        others = torch.cat([_others(moved, fill), source[:, moved.shape[1] :]], 1)
        order, content = (
            _effect(before, answer(model, _with_source(inputs, new), predict), model_of_language, source)
            for new in (shuffled, others)
        )
    if target.dim() > 1 or val is None or order > 1e-4 * content:
        return OrderFlow(task, order, content)
    return OrderFlow(task, order, content, *_told(first_examples(train, 4000), first_examples(val, 2000)))


def _with_source(inputs: Inputs, source: Tensor) -> Inputs:
    rest = iter([source, *tensors(inputs)[1:]])
    return rebuilt(inputs, lambda _: next(rest))


def _shuffled(ids: Tensor, fill: int | None) -> Tensor:
    """Return every row with its tokens in another order, padding in its place."""
    generator = torch.Generator().manual_seed(0)
    result = ids.clone()
    for row in result:
        used = (row != fill).nonzero()[:, 0] if fill is not None else torch.arange(len(row), device=row.device)
        row[used] = row[used[torch.randperm(len(used), generator=generator).to(row.device)]]
    return result


def _others(ids: Tensor, fill: int | None) -> Tensor:
    """Return every row with the tokens of another one, padding in its place."""
    other = ids.roll(1, 0)
    return other if fill is None else torch.where((ids == fill) | (other == fill), ids, other)


def _effect(before: Tensor, after: Tensor, only_last: bool, source: Tensor) -> float:
    change = (after - before).abs()
    if only_last:
        if change.shape[:2] != source.shape:
            raise NotGiven("outputs do not stand (batch, time, classes)")
        change = change[:, -1]
    return float(change.max() / before.std().clamp(min=1e-12))


def _told(train: Any, val: Any) -> tuple[float | None, float | None, int]:
    """Return the share of validation labels that naive Bayes gets right with and without order."""
    (known, labels), (asked, truths) = ((tensors(part)[0] for part in batch) for batch in (train, val))
    if labels.dim() != 1 or not bool((labels == labels.round()).all()) or known.shape[1:] != asked.shape[1:]:
        return None, None, 0
    types = int(max(known.max(), asked.max())) + 1
    if known.shape[1] > MAX_LENGTH or types * types > MAX_FEATURES or int(min(known.min(), asked.min())) < 0:
        return None, None, 0
    tables = [_right(f(known, types), labels.long(), f(asked, types), truths.long()) for f in (_places, _pairs)]
    bags = [
        _right(f(known.sort(1)[0], types), labels.long(), f(asked.sort(1)[0], types), truths.long())
        for f in (_bag, _pairs)
    ]
    return max(tables), max(bags), len(truths)


def _bag(ids: Tensor, types: int) -> Tensor:
    return ids


def _places(ids: Tensor, types: int) -> Tensor:
    return torch.cat([ids, types + ids + types * torch.arange(ids.shape[1])], 1)


def _pairs(ids: Tensor, types: int) -> Tensor:
    first, second = torch.triu_indices(ids.shape[1], ids.shape[1], 1)
    return ids[:, first] * types + ids[:, second]


def _right(known: Tensor, labels: Tensor, asked: Tensor, truths: Tensor) -> float:
    """Return the share of labels that naive Bayes on lists of features gets right."""
    size = int(max(known.max(), asked.max())) + 1
    scores = []
    for label in labels.unique():
        mine = known[labels == label]
        counts = torch.bincount(mine.flatten(), minlength=size).float() + 1
        log = (counts / counts.sum()).log()
        scores.append(log[asked].sum(1) + torch.tensor(len(mine) / len(known)).log())
    return float((labels.unique()[torch.stack(scores, 1).argmax(1)] == truths).float().mean())
