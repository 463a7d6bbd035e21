"""Does reading the training data change what is stored?

One copy of the loader is read three times. What the dataset stores is compared before and after, and some examples are
fetched twice with the same random state: random augmentation gives the same answer twice and leaves the store alone.

Source: pytorch/vision issue 680, in-place transforms of data that is kept in memory.
"""

import copy
import hashlib
import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from diagkit.batches import pairs, tensors
from diagkit.evidence.data import RepeatedReadings
from diagkit.guard import generators
from diagkit.subject import NotGiven

DEEP = True
READINGS = 3
MAX_BATCHES = 200  # of one reading
ITEMS = 50
MAX_STORED = 2**27  # bytes that are compared
DEPTH = 5


def repeated_readings(train_loader: Iterable[Any]) -> RepeatedReadings:
    """Read a copy of the loader several times.

    Raises:
        NotGiven: it is a list of batches, or cannot be copied.
    """
    if isinstance(train_loader, list | tuple):
        raise NotGiven("a list of batches stays as it is")
    try:
        loader = copy.deepcopy(train_loader)
    except Exception as error:
        raise NotGiven(f"the loader cannot be copied: {type(error).__name__}: {error}") from error
    with generators():
        dataset = getattr(loader, "dataset", loader)
        before = _stored(dataset)
        items = _items(dataset)
        readings = [_read(loader) for _ in range(READINGS)]
        again = [_items(dataset)]
        after = _stored(dataset)
        again.append(_items(dataset))  # what only turns over is as before every second time
    known = [(before[name], after[name]) for name in before if name in after]
    return RepeatedReadings(
        stored_changes=[name for name in before if name in after and before[name] != after[name]][:5] if known else [],
        items_change=items is not None and any(its is not None and its != items for its in again),
        scales=[float(np.sqrt(centre**2 + spread**2)) for centre, spread in readings],
        centres=[centre for centre, _ in readings],
        spreads=[spread for _, spread in readings],
    )


def _read(loader: Iterable[Any]) -> tuple[float, float]:
    """Return mean and standard deviation of the inputs that are no ids."""
    count, total, squares = 0, 0.0, 0.0
    for inputs, _ in pairs(itertools.islice(loader, MAX_BATCHES)):
        for part in tensors(inputs):
            if part.is_floating_point():
                values = part.detach().double()
                count += values.numel()
                total += float(values.sum())
                squares += float(values.square().sum())
    mean = total / max(count, 1)
    return mean, float(np.sqrt(max(squares / max(count, 1) - mean**2, 0.0)))


def _items(dataset: Any) -> list[str] | None:
    """Fetch some examples with a fixed random state and return their hashes; None where that cannot be done."""
    try:
        size = len(dataset)
        chosen = range(0, size, max(1, size // ITEMS))
        marks = []
        for i in chosen:
            torch.manual_seed(i)
            np.random.seed(i)
            marks.append(_mark(dataset[i]))
    except Exception:  # it is read in order, not by index
        return None
    return marks


def _mark(value: Any) -> str:
    digest = hashlib.sha256()
    for part in tensors(value) + _arrays(value):
        array = part.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy() if part.numel() else b""
        digest.update(bytes(array))
    return digest.hexdigest()


def _arrays(value: Any) -> list[Tensor]:
    parts = (
        value if isinstance(value, tuple | list) else list(value.values()) if isinstance(value, Mapping) else [value]
    )
    return [torch.from_numpy(np.ascontiguousarray(part)) for part in parts if isinstance(part, np.ndarray)]


def _stored(owner: Any) -> dict[str, str]:
    """Return the hash of every tensor and array that an object keeps, by the path to it."""
    found: dict[str, str] = {}
    size = 0
    queue: list[tuple[str, Any, int]] = [("", owner, 0)]
    seen = set()
    while queue and size < MAX_STORED:
        path, value, depth = queue.pop()
        if id(value) in seen or depth > DEPTH or isinstance(value, torch.Generator | np.random.RandomState):
            continue
        seen.add(id(value))
        if isinstance(value, Tensor | np.ndarray):
            if isinstance(value, Tensor) or value.dtype != object:
                found[path] = _mark([value])
                size += value.nbytes
        elif isinstance(value, Mapping):
            queue += [(f"{path}[{key!r}]", part, depth + 1) for key, part in itertools.islice(value.items(), 5000)]
        elif isinstance(value, list | tuple):
            queue += [(f"{path}[{i}]", part, depth + 1) for i, part in enumerate(value[:5000])]
        elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
            queue += [(f"{path}.{name}".lstrip("."), part, depth + 1) for name, part in vars(value).items()]
    return found
