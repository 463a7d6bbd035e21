"""Does a frozen embedding know the ids of this data?

What an id goes with is measured in the data: the ids around it and the targets of its rows. Rows of an embedding that
was learnt on the same language tell something of that, better than the same rows shuffled. Where a vocabulary was
built anew, every id finds another word's row, and they tell nothing; where special ids were put in front, shifted ids
do.

Source: Mantel's permutation test (1967); distributional similarity, Church and Hanks (1990).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from diagkit.batches import Predict, call, is_ids, pairs, tensors
from diagkit.evidence.environment import EmbeddingOrder
from diagkit.guard import evaluating
from diagkit.probes.initial_traces import law
from diagkit.subject import NotGiven

MAX_IDS = 300  # the most frequent ones
MIN_IDS = 30
MIN_COUNT = 10  # rows that an id must occur in
SHIFTS = range(-4, 5)
SHUFFLES = 100
Numbers = NDArray[np.float64]


def embedding_order(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> EmbeddingOrder:
    """Compare the rows of the first frozen embedding with what its ids go with.

    Raises:
        NotGiven: no frozen embedding is fed with the ids of the batches, or too few ids are frequent.
    """
    name, module, part = _fed_with_ids(model, train, predict)
    ids, targets = _examples(train, part)
    counts = np.bincount(np.concatenate([np.unique(row) for row in ids]), minlength=module.num_embeddings)
    frequent = np.argsort(-counts, kind="stable")[:MAX_IDS]
    frequent = frequent[(counts[frequent] >= MIN_COUNT) & (counts[frequent] < 0.9 * len(ids))]
    if len(frequent) < MIN_IDS:
        raise NotGiven(f"{len(frequent)} ids occur often enough, {MIN_IDS} are needed")
    company = [_company(ids[half::2], targets[half::2], frequent) for half in (0, 1)]
    halves = [_likeness(its) for its in company]
    upper = np.triu_indices(len(frequent), 1)
    together = (halves[0] + halves[1])[upper]
    rows = module.weight.detach().double().cpu().numpy()
    agreements = {shift: _agreement(rows, frequent + shift, together, upper) for shift in SHIFTS}
    best = max((s for s in SHIFTS if s), key=lambda shift: agreements[shift])
    reliability = float(np.corrcoef(halves[0][upper], halves[1][upper])[0, 1])
    new = bool(law(module, module.weight.detach()))
    return EmbeddingOrder(name, len(frequent), reliability, agreements[0], best, agreements[best], new)


def _fed_with_ids(model: nn.Module, train: Iterable[Any], predict: Predict | None) -> tuple[str, nn.Embedding, int]:
    """Return the first frozen embedding that sees a tensor of the batch as it is, and which tensor."""
    inputs, _ = next(pairs(train))
    parts = tensors(inputs)
    found: list[tuple[str, nn.Embedding, int]] = []

    def watch(name: str, module: nn.Embedding, given: Any) -> None:
        for number, part in enumerate(parts):
            if tensors(given) and part.shape == tensors(given)[0].shape and torch.equal(part, tensors(given)[0]):
                found.append((name, module, number))

    frozen = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, nn.Embedding) and not module.weight.requires_grad
    }
    hooks = [
        m.register_forward_pre_hook(lambda m, given, name=name: watch(name, m, given)) for name, m in frozen.items()
    ]
    try:
        if frozen and any(is_ids(part) for part in parts):
            with evaluating(model):
                call(model, inputs, predict)
    except Exception as error:
        raise NotGiven(f"the model does not run: {type(error).__name__}") from error
    finally:
        for hook in hooks:
            hook.remove()
    if not found:
        raise NotGiven("no frozen embedding is fed with the ids of the batches")
    return found[0]


def _examples(train: Iterable[Any], part: int) -> tuple[list[NDArray[np.int64]], Numbers]:
    ids: list[NDArray[np.int64]] = []
    targets: list[float] = []
    for inputs, wanted in pairs(train):
        tensor = tensors(inputs)[part]
        ids += list(tensor.detach().cpu().reshape(len(tensor), -1).numpy())
        single = isinstance(wanted, Tensor) and wanted.dim() > 0 and wanted.numel() == len(tensor)
        targets += wanted.detach().double().cpu().reshape(-1).tolist() if single else [0.0] * len(tensor)
    return ids, np.array(targets)


def _company(ids: list[NDArray[np.int64]], targets: Numbers, frequent: NDArray[np.int64]) -> Numbers:
    """Return `(frequent, features)`: with which ids and with which targets each id is met more often than by chance."""
    place = {int(i): k for k, i in enumerate(frequent)}
    present = np.zeros((len(ids), len(frequent)))
    for row, its in enumerate(ids):
        present[row, [place[int(i)] for i in its if int(i) in place]] = 1
    levels = np.unique(targets)
    wanted = np.stack([targets == level for level in levels], 1) if len(levels) <= 20 else targets[:, None]
    others = present - present.mean(0)
    met = others.T @ others / len(ids)
    spread = others.std(0) + 1e-9
    with_ids = met / spread[:, None] / spread[None]
    np.fill_diagonal(with_ids, 0)
    centred = wanted - wanted.mean(0)
    with_targets = others.T @ centred / len(ids) / spread[:, None] / (centred.std(0) + 1e-9)
    return np.concatenate([with_ids, with_targets * np.sqrt(len(frequent))], 1)


def _likeness(vectors: Numbers) -> Numbers:
    """Return the cosine of every pair of rows."""
    unit = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-12)
    likeness: Numbers = unit @ unit.T
    return likeness


def _agreement(rows: Numbers, ids: NDArray[np.int64], company: Numbers, upper: Any) -> float:
    """Correlate the likeness of rows with that of their company; in standard deviations over shuffled rows."""
    likeness = _likeness(rows[np.clip(ids, 0, len(rows) - 1)])
    generator = np.random.default_rng(0)

    def correlation(order: NDArray[np.int64]) -> float:
        return float(np.corrcoef(likeness[np.ix_(order, order)][upper], company)[0, 1])

    chance = [correlation(generator.permutation(len(ids))) for _ in range(SHUFFLES)]
    return float((correlation(np.arange(len(ids))) - np.mean(chance)) / (np.std(chance) + 1e-12))
