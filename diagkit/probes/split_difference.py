"""Would the trained model do better on validation inputs that were prepared in another way?

The changes are those that two pieces of code disagree about: scale and offset (each feature, or all together, brought
to the figures of training), the order of channels, rows against columns, light against dark, ids counted from another
start. A model that was trained on such inputs is far better after the right one, and no better after any other.

Source: training-serving skew, Google's Rules of Machine Learning (rules 29 and 31).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, pairs, rebuilt, sample, split, tensors
from diagkit.evidence.data import SplitDifference
from diagkit.guard import evaluating
from diagkit.rehearsal import mean_loss
from diagkit.subject import NotGiven

DEEP = True
MAX_ROWS = 1000
SHIFTS = (-3, -2, -1, 1, 2, 3)  # of ids
CHANNELS = 4  # at most, to be put in reverse order
Change = Callable[[Any], Any]  # of the inputs, or of targets that are ids like them


def split_difference(
    trained_model: nn.Module,
    train: Iterable[Any],
    val: Iterable[Any],
    loss_fn: Loss,
    task: str,
    predict: Predict | None = None,
) -> SplitDifference:
    """Try the changes on a sample of the validation part.

    Raises:
        NotGiven: there is no validation batch, or its loss has no finite value.
    """
    mine, its = sample(train, MAX_ROWS), sample(val, MAX_ROWS)
    if not its or not mine:
        raise NotGiven("a part is empty")
    try:
        train_loss, val_loss = (mean_loss(trained_model, part, loss_fn, predict) for part in (mine, its))
    except Exception as error:  # anyone's model
        raise NotGiven(f"the trained model raised {type(error).__name__}: {error}") from error
    scale, shift = _overall(mine, its)
    changes: dict[str, float] = {}
    with evaluating(trained_model):
        for name, change in _changes(mine, its):
            try:
                asked = _of_source(change) if task == "seq2seq" else change
                changed = _loss(trained_model, asked, its, loss_fn, predict, task == "language_model")
            except Exception:  # a change that the model cannot take
                continue
            if changed == changed:
                changes[name] = changed
    return SplitDifference(scale, shift, train_loss, val_loss, changes)


def _loss(
    model: nn.Module, change: Change, batches: list[Any], loss_fn: Loss, predict: Predict | None, sequences: bool
) -> float:
    """Return the validation loss after a change, of the targets too where both are sequences of the same ids."""
    total, count = 0.0, 0
    for inputs, targets in pairs(batches):
        size = len(tensors(inputs)[0])
        wanted = change(targets) if sequences and isinstance(targets, Tensor) and is_ids(targets) else targets
        total += float(loss_fn(call(model, change(inputs), predict), wanted)) * size
        count += size
    return total / count


def _overall(mine: list[Any], its: list[Any]) -> tuple[float, float]:
    (centre, spread), (other, its_spread) = (_moments(part) for part in (mine, its))
    if not spread > 0:
        return float("nan"), float("nan")
    return its_spread / spread, abs(other - centre) / spread


def _moments(batches: list[Any]) -> tuple[float, float]:
    values = [part.double().reshape(-1) for part in _all_parts(batches) if part.is_floating_point()]
    if not values:
        return float("nan"), float("nan")
    joined = torch.cat(values)
    return float(joined.mean()), float(joined.std(correction=0))


def _all_parts(batches: list[Any]) -> list[Tensor]:
    return [part.detach() for inputs, _ in pairs(batches) for part in tensors(inputs)]


def _changes(mine: list[Any], its: list[Any]) -> Iterator[tuple[str, Change]]:
    parts = tensors(split(its[0])[0])
    floats = [part for part in parts if part.is_floating_point()]
    if floats:
        (centre, spread), (other, its_spread) = (_moments(part) for part in (mine, its))
        if its_spread > 0:
            yield "scale and offset", _on_floats(lambda x: (x - other) / its_spread * spread + centre)
        if len(parts) == 1 and len({part.shape[1:] for part in _all_parts([*mine, *its])}) == 1:
            ours, theirs = (torch.cat(_all_parts(part)).float() for part in (mine, its))
            centre_, spread_, other_, its_spread_ = ours.mean(0), ours.std(0), theirs.mean(0), theirs.std(0)
            fair = its_spread_.clamp(min=1e-6 + 0.05 * float(its_spread_.mean()))
            yield (
                "scale and offset of each feature",
                _on_floats(lambda x: ((x - other_) / fair * spread_ + centre_).to(x)),
            )
        yield "light and dark", _on_floats(lambda x: 2 * centre - x)
        if any(x.dim() >= 3 and 1 < x.shape[1] <= CHANNELS for x in floats):
            yield "order of channels", _on_floats(lambda x: x.flip(1) if x.dim() >= 3 else x)
        if any(x.dim() >= 3 and 1 < x.shape[-1] <= CHANNELS for x in floats):
            yield "order of channels", _on_floats(lambda x: x.flip(-1) if x.dim() >= 3 else x)
        if all(x.dim() >= 3 and x.shape[-1] == x.shape[-2] for x in floats):
            yield "rows and columns", _on_floats(lambda x: x.transpose(-1, -2).contiguous())
        if any(x.dim() == 2 for x in floats):
            yield "order of features", _on_floats(lambda x: x.flip(-1) if x.dim() == 2 else x)
    if any(is_ids(part) for part in parts):
        for by in SHIFTS:
            yield f"ids by {by:+d}", _on_ids(by)
        yield "order of ids", lambda inputs: rebuilt(inputs, lambda x: x.flip(-1) if is_ids(x) and x.dim() == 2 else x)


def _of_source(change: Change) -> Change:
    """Change the source alone; the prompt belongs to the target."""

    def changed(inputs: Any) -> Any:
        several = isinstance(inputs, tuple | list) and len(inputs) > 1
        return type(inputs)([change(inputs[0]), *inputs[1:]]) if several else change(inputs)

    return changed


def _on_floats(change: Callable[[Tensor], Tensor]) -> Change:
    return lambda inputs: rebuilt(inputs, lambda x: change(x) if x.is_floating_point() else x)


def _on_ids(by: int) -> Change:
    def change(x: Tensor) -> Tensor:
        if not is_ids(x) or x.dim() != 2:
            return x
        return torch.where(x > 0, (x + by).clamp(min=0), x) if bool((x == 0).any()) else (x + by).clamp(min=0)

    return lambda inputs: rebuilt(inputs, change)
