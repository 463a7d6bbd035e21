"""Does the model in eval mode give the same output twice, and if not, which module draws?

Dropout called as a function stays on in eval mode unless it is told the mode. The random functions that the forward
pass calls are recorded, and the innermost module whose outputs differ on equal inputs is named. A model that differs
from itself even with the same seed keeps a state between calls, which is not chance.

Source: PyTorch documentation of `scaled_dot_product_attention`: "always applies dropout according to dropout_p".
"""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from diagkit.batches import Predict, call, split, tensors
from diagkit.evidence.environment import RepeatedForward
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

DROPOUT = {"dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"}
ATTENTION = {"scaled_dot_product_attention", "multi_head_attention_forward"}
DRAWS = {"rand", "rand_like", "randn", "randn_like", "bernoulli", "bernoulli_", "normal", "normal_", "uniform_"}
DRAWS |= {"multinomial", "randperm", "randint", "randint_like", "gumbel_softmax", "exponential_"}
Digest = tuple[float, ...]


def repeated_forward(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> RepeatedForward:
    """Pass the first training batch through the model three times in eval mode: seeds 0, 0 and 1.

    Raises:
        NotGiven: the model does not run, or remembers its last call.
    """
    inputs, targets = split(next(iter(train)))
    draws = Draws()
    try:
        with evaluating(model), draws:
            passes = [_watched(model, inputs, predict, seed) for seed in (0, 0, 1)]
            outputs = len(tensors(passes[0][1]))
    except Exception as error:
        raise NotGiven(f"the model does not run on a training batch ({type(error).__name__}: {error})") from error
    same_seed, other_seed = (_first_difference(passes[1][0], passes[i][0]) for i in (0, 2))
    if same_seed is not None and not draws.names:
        raise NotGiven("the model remembers its last call, so two calls cannot be compared")
    responsible = other_seed if other_seed is not None else same_seed
    return RepeatedForward(
        draws=list(draws.names),
        differs=responsible is not None,
        module=responsible or "",
        outputs=outputs,
        reconstructs=_same(inputs, targets),
    )


class Draws(TorchFunctionMode):
    """Records the random functions that are called and would draw."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, None] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if _draws(name, args, kwargs):
            self.names[name] = None
        return func(*args, **kwargs)


def _draws(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    if name in ATTENTION:
        rate = kwargs.get("dropout_p", args[4] if name == "scaled_dot_product_attention" and len(args) > 4 else 0.0)
        return bool(rate) and bool(kwargs.get("training", True))
    if name in DROPOUT:
        rate, on = kwargs.get("p", args[1] if len(args) > 1 else 0.5), args[2] if len(args) > 2 else True
        return bool(rate) and bool(kwargs.get("training", kwargs.get("train", on)))
    return name in DRAWS


def _watched(model: nn.Module, inputs: Any, predict: Predict | None, seed: int) -> tuple[list[Any], Any]:
    """Return the calls of all modules in the order in which they end, and the outputs."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    calls: list[tuple[str, Digest, Digest]] = []
    with _hooks(model, lambda name, given, gave: calls.append((name, _digest(given), _digest(gave)))):
        outputs = call(model, inputs, predict)
    return calls, outputs


@contextmanager
def _hooks(model: nn.Module, tell: Callable[[str, Any, Any], None]) -> Iterator[None]:
    hooks = [
        module.register_forward_hook(
            lambda _, args, kwargs, gave, name=name: tell(name or "model", (args, kwargs), gave), with_kwargs=True
        )
        for name, module in model.named_modules()
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _digest(values: Any) -> Digest:
    """Return a few sums that differ wherever the values do."""
    found: list[float] = []
    for tensor in tensors(values):
        if tensor.is_floating_point() and tensor.numel():
            flat = tensor.detach().reshape(-1).nan_to_num()
            found += [float(flat.sum(dtype=torch.float64)), float(flat.abs().sum(dtype=torch.float64)), float(flat[-1])]
        elif tensor.numel() and not tensor.is_complex():
            found.append(float(tensor.sum(dtype=torch.float64)))
    return tuple(found)


def _first_difference(one: list[Any], two: list[Any]) -> str | None:
    for (name, given, gave), (_, given_again, gave_again) in zip(one, two, strict=False):
        if given == given_again and gave != gave_again:
            return str(name)
    return None


def _same(inputs: Any, targets: Any) -> bool:
    return any(
        isinstance(targets, Tensor) and part.shape == targets.shape and torch.equal(part, targets)
        for part in tensors(inputs)
    )
