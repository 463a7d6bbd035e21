"""Do frozen parts still have their random start?

A part is frozen because it brings knowledge from elsewhere. Values that PyTorch draws for a new layer look alike:
uniform and never beyond a known bound, or normal with a known spread. A trained layer passes its bound within a few
steps, and its values follow no simple law. Frozen copies of a part that learns (a target network, an average of the
weights) start like it and are left out.

Source: PyTorch documentation of `nn.Linear`: values from U(-sqrt(k), sqrt(k)), k = 1/in_features.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from diagkit.evidence.environment import InitialTraces
from diagkit.subject import NotGiven

MIN_VALUES = 100  # fewer have no law
MAX_VALUES = 20_000  # of a tensor, drawn from it
MIN_P = 0.01  # of the Kolmogorov-Smirnov test
KNOWN_SPREADS = (0.01, 0.02)  # the habits of vision and language models

Numbers = NDArray[np.float64]


def initial_traces(
    model: nn.Module, optimizer: torch.optim.Optimizer, expected_frozen: Sequence[str] = ()
) -> InitialTraces:
    """Compare every frozen weight with the laws of new layers.

    Raises:
        NotGiven: nothing is frozen, or nothing that can be judged.
    """
    owned = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    learning = [p for p in model.parameters() if p.requires_grad and p.dim() > 1]
    weights = {name: w for name, w in _frozen_weights(model) if not _is_copy(w, learning)}
    if not weights:
        raise NotGiven("no weight of more than a few values is frozen")
    modules = {name: model.get_submodule(name.rpartition(".")[0]) for name in weights}
    found = {name: law(modules[name], weight.detach()) for name, weight in weights.items()}
    found |= dict(_untouched_norms(model))
    laws = {name: its for name, its in found.items() if its}
    return InitialTraces(
        frozen=list(found),
        random=list(laws),
        excluded=not any(id(weights[name]) in owned for name in laws if name in weights),
        expected=bool(laws) and all(any(fnmatch(name, pattern) for pattern in expected_frozen) for name in laws),
        law=next(iter(laws.values()), ""),
    )


def _frozen_weights(model: nn.Module) -> Iterator[tuple[str, nn.Parameter]]:
    """Yield what can be judged by its law; `embedding_order` asks about embeddings, which may well look normal."""
    for module_name, module in model.named_modules():
        for name, parameter in module.named_parameters(module_name, recurse=False):
            judged = parameter.dim() > 1 and parameter.numel() >= MIN_VALUES and not isinstance(module, nn.Embedding)
            if judged and not parameter.requires_grad:
                yield name, parameter


def _is_copy(weight: Tensor, learning: list[nn.Parameter]) -> bool:
    return any(weight.shape == other.shape and torch.equal(weight, other) for other in learning)


def law(module: nn.Module, weight: Tensor) -> str:
    """Name the law of a new layer that the values follow; empty where they follow none."""
    if not weight.is_floating_point():
        return ""
    if isinstance(module, nn.Embedding):
        weight = weight[weight.abs().sum(1) > 0]  # the padding row is zero
    numbers = weight.reshape(-1).double().cpu().numpy()
    if len(numbers) < MIN_VALUES or not np.isfinite(numbers).all() or numbers.std() == 0:
        return ""
    bounds, spreads = _habits(module, weight)
    return _uniform(numbers, bounds) or _normal(numbers, spreads)


def _habits(module: nn.Module, weight: Tensor) -> tuple[list[float], list[float]]:
    """Return the bounds and the standard deviations that initializations of this layer use."""
    if isinstance(module, nn.Embedding):
        return [], [1.0, *KNOWN_SPREADS, weight.shape[1] ** -0.5]
    fan_in, fan_out = nn.init._calculate_fan_in_and_fan_out(weight)
    sizes = [1 / fan_in, 2 / fan_in, 2 / fan_out, 2 / (fan_in + fan_out)]
    bounds = [math.sqrt(k) for k in (1 / fan_in, *(3 * size for size in sizes))]
    if isinstance(module, nn.RNNBase):
        bounds.append(module.hidden_size**-0.5)
    return bounds, [*map(math.sqrt, sizes), *KNOWN_SPREADS]


def _uniform(numbers: Numbers, bounds: list[float]) -> str:
    """Uniform up to a known bound, and reaching it as far as so many values would."""
    from scipy import stats  # 0.3 s, for weights that are suspected only

    largest = float(np.abs(numbers).max())
    for bound in bounds:
        if 1 - 10 / len(numbers) < largest / bound < 1 + 1e-5 and _follows(numbers / bound, stats.uniform(-1, 2).cdf):
            return f"uniform within ±{bound:.3g}"
    return ""


def _normal(numbers: Numbers, spreads: list[float]) -> str:
    """Normal around 0 with a known spread, to within two standard errors."""
    from scipy import stats

    for spread in spreads:
        close = abs(numbers.std() / spread - 1) < 2 / math.sqrt(2 * len(numbers))
        if close and _follows(numbers / spread, stats.norm.cdf):
            return f"normal with standard deviation {spread:.3g}"
    return ""


def _follows(numbers: Numbers, law: Callable[[Any], Any]) -> bool:
    from scipy import stats

    some = numbers[:: max(1, len(numbers) // MAX_VALUES)]
    return bool(stats.kstest(some, law).pvalue >= MIN_P)


def _untouched_norms(model: nn.Module) -> Iterator[tuple[str, str]]:
    """Yield frozen batch norms, and what shows that they never saw a batch."""
    for name, module in model.named_modules():
        if not isinstance(module, _BatchNorm) or module.running_mean is None or module.running_var is None:
            continue
        if not any(p.requires_grad for p in module.parameters()) and any(True for _ in module.parameters()):
            new = bool((module.running_mean == 0).all()) and bool((module.running_var == 1).all())
            yield f"{name}.running_mean", "exactly zero, with a variance of exactly one" if new else ""
