"""How the probes of outputs and information flow ask a model: few examples, eval mode, the same draws every time."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Inputs, Loss, Predict, UnknownBatch, call, output, rebuilt, split, tensors
from diagkit.subject import NotGiven

LARGE = 20_000_000  # parameters, from where every forward pass of many examples is felt
FEW = 4


def affordable(model: nn.Module, count: int) -> int:
    """Return how many examples to pass through a model: few where it is large."""
    return min(count, FEW) if sum(p.numel() for p in model.parameters() if not _lazy(p)) > LARGE else count


def _lazy(parameter: Tensor) -> bool:
    return isinstance(parameter, nn.parameter.UninitializedParameter)


def first_examples(batches: Iterable[Any], count: int) -> tuple[Inputs, Any]:
    """Return inputs and targets of the first examples, of several batches where one is too small.

    Where examples share no first axis (bags of ids with offsets), the first batch is returned whole.

    Raises:
        NotGiven: there is no batch, or it has no structure that is known.
    """
    inputs: Inputs = None
    targets: Any = None
    for batch in batches:
        more = parts_of(batch)
        if inputs is None:
            inputs, targets = more
        elif _joinable((inputs, targets), more):
            inputs, targets = _joined((inputs, targets), more)
        else:
            break
        if not side_by_side(inputs, targets) or len(tensors(targets)[0]) >= count:
            break
    if inputs is None:
        raise NotGiven("there is no batch")
    if not side_by_side(inputs, targets):
        return inputs, targets
    return rebuilt(inputs, lambda part: part[:count]), rebuilt(targets, lambda part: part[:count])


def parts_of(batch: Any) -> tuple[Inputs, Any]:
    """Return inputs and targets of a batch.

    Raises:
        NotGiven: it has no structure that is known.
    """
    try:
        return split(batch)
    except UnknownBatch as error:
        raise NotGiven(str(error)) from error


def side_by_side(inputs: Inputs, targets: Any) -> bool:
    """Return whether every tensor has one row per example."""
    parts = [*tensors(inputs), *tensors(targets)]
    return bool(tensors(inputs)) and bool(tensors(targets)) and len({len(p) if p.dim() else 0 for p in parts}) == 1


def _joinable(first: Any, second: Any) -> bool:
    shapes = [[(part.shape[1:], part.dtype) for part in tensors(batch)] for batch in (first, second)]
    return shapes[0] == shapes[1] and side_by_side(*first) and side_by_side(*second)


def _joined(first: Any, second: Any) -> Any:
    others = iter(tensors(second))
    return rebuilt(first, lambda part: torch.cat([part, next(others)]))


def outputs_of(model: nn.Module, inputs: Inputs, predict: Predict | None) -> Any:
    """Return all that the model gives, with the same random draws at every call.

    Raises:
        NotGiven: the model raises, or what it gives holds no tensor of real numbers.
    """
    torch.manual_seed(0)
    try:
        outputs = call(model, inputs, predict)
    except Exception as error:  # anyone's model
        raise NotGiven(f"the model raises {type(error).__name__}: {error}") from error
    if not tensors(outputs) or not output(outputs).is_floating_point():
        raise NotGiven("the model gives no tensor of real numbers")
    return outputs


def answer(model: nn.Module, inputs: Inputs, predict: Predict | None) -> Tensor:
    """Return the model's prediction, in single precision or better."""
    prediction = output(outputs_of(model, inputs, predict)).detach()
    return prediction.float() if prediction.dtype in (torch.float16, torch.bfloat16) else prediction


def with_prediction(outputs: Any, prediction: Tensor) -> Any:
    """Return outputs of the same structure with the first tensor replaced."""
    rest = iter([prediction, *tensors(outputs)[1:]])
    return rebuilt(outputs, lambda _: next(rest))


def loss_of(loss_fn: Loss, outputs: Any, targets: Any) -> Tensor:
    """Return the loss.

    Raises:
        NotGiven: the loss raises or gives no tensor.
    """
    torch.manual_seed(0)
    try:
        loss = loss_fn(outputs, targets)
    except Exception as error:  # anyone's loss
        raise NotGiven(f"the loss raises {type(error).__name__}: {error}") from error
    if not isinstance(loss, Tensor):
        raise NotGiven(f"the loss is a {type(loss).__name__}, not a tensor")
    return loss


def class_axes(prediction: Tensor, targets: Any) -> list[int]:
    """Return the axes of a prediction along which its classes can stand, for targets that are class ids.

    More than one where sizes agree by chance; none where targets are not ids of these outputs.
    """
    if not isinstance(targets, Tensor) or targets.is_floating_point() or targets.is_complex():
        return []
    shape, asked = list(prediction.shape), list(targets.shape)
    axes = [axis for axis in range(1, len(shape)) if shape[:axis] + shape[axis + 1 :] == asked]
    if not axes and len(shape) == 2 and shape[0] == targets.numel():
        axes = [1]
    ids = targets.unique()
    return [axis for axis in axes if int((ids >= shape[axis]).sum()) <= 1]  # one may be ignored, as 255 is
