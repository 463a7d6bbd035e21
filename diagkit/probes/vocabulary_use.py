"""Do training and validation use the same token ids, about equally often?

Source: out-of-vocabulary rate, Jurafsky and Martin, Speech and Language Processing, chapter 3.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import nn

from diagkit.batches import Predict, call, is_ids, pairs, tensors
from diagkit.evidence.data import VocabularyUse
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

MIN_TOKENS = 200
COMMON = 5  # occurrences of an id in either part before its frequency is compared


def vocabulary_use(
    model: nn.Module, train: Iterable[Any], val: Iterable[Any], task: str, predict: Predict | None = None
) -> VocabularyUse:
    """Count the ids that reach an embedding, in both parts.

    Raises:
        NotGiven: no input reaches an embedding, or there are too few tokens.
    """
    places = _places(model, train, predict)
    if not places:
        raise NotGiven("no input holds token ids")
    mine, its = _count(train, places), _count(val, places)
    total, its_total = sum(mine.values()), sum(its.values())
    if min(total, its_total) < MIN_TOKENS:
        raise NotGiven(f"{min(total, its_total)} tokens are too few to compare")
    surplus = max(its, key=lambda one: its[one] / its_total - mine[one] / total)
    return VocabularyUse(
        train_tokens=total,
        val_tokens=its_total,
        unseen=sum(count for one, count in its.items() if one not in mine) / its_total,
        surplus=its[surplus] / its_total,
        surplus_in_training=mine[surplus] / total,
        surplus_id=surplus[1],
        frequency_correlation=_correlation(mine, its),
    )


def _places(model: nn.Module, train: Iterable[Any], predict: Predict | None) -> list[int]:
    """Return which tensors of the inputs hold what an embedding receives."""
    inputs, _ = next(pairs(train))
    received: list[torch.Tensor] = []
    tables = [m for m in model.modules() if isinstance(m, nn.Embedding | nn.EmbeddingBag)]
    hooks = [m.register_forward_pre_hook(lambda _, given: received.append(given[0].detach())) for m in tables]
    try:
        with evaluating(model):
            call(model, inputs, predict)
    except Exception as error:
        raise NotGiven(f"the model raised {type(error).__name__}: {error}") from error
    finally:
        for hook in hooks:
            hook.remove()
    numbers = {tuple(its.reshape(-1)[:50].tolist()) for its in received}
    parts = tensors(inputs)
    return [i for i, x in enumerate(parts) if is_ids(x) and tuple(x.reshape(-1)[:50].tolist()) in numbers]


def _count(batches: Iterable[Any], places: list[int]) -> Counter[tuple[int, int]]:
    """Count `(place, id)`; zeros at the end of a row are padding."""
    found: Counter[tuple[int, int]] = Counter()
    for inputs, _ in pairs(batches):
        parts = tensors(inputs)
        for place in places:
            ids = parts[place].detach().cpu()
            if ids.dim() == 2:
                ids = ids[(ids.flip(1).cumsum(1).flip(1) != 0)]
            values, counts = torch.unique(ids, return_counts=True)
            found.update({(place, int(v)): int(c) for v, c in zip(values, counts, strict=True)})
    return found


def _correlation(mine: Counter[tuple[int, int]], its: Counter[tuple[int, int]]) -> float:
    """Return the correlation of log frequencies; NaN where either part uses its ids about equally often."""
    common = [one for one in mine | its if max(mine[one], its[one]) >= COMMON]
    if len(common) < 10:
        return float("nan")
    logs = np.log([[mine[one] + 0.5, its[one] + 0.5] for one in common])
    if (logs.std(0) < 0.3).any():
        return float("nan")
    return float(np.corrcoef(logs.T)[0, 1])
