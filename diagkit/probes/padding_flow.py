"""Does padding stay out of the outputs, and do real positions get in?

Padding is where the caller says so (lengths or a mask among the inputs), or the id that rows of different length end
in. What stands there is disturbed, and what stands elsewhere, and the outputs are compared; ids are disturbed behind
their embedding, so that a mask made from them stays. Every attention over these positions is asked how much of it
goes to padding: an inverted mask sends all of it there.

Sources: input dependency, Karpathy's recipe (2019); PyTorch documentation of `MultiheadAttention`: a key padding mask
is true where a key is to be ignored, the reverse of `scaled_dot_product_attention`."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode

from diagkit.batches import Inputs, Predict, is_ids, rebuilt, tensors
from diagkit.evidence.wrong_thing import PaddingFlow
from diagkit.guard import evaluating
from diagkit.probes._asking import affordable, answer, first_examples, side_by_side
from diagkit.probes._positions import padding
from diagkit.subject import NotGiven

ROWS = 16


def padding_flow(model: nn.Module, train: Iterable[Any], predict: Predict | None = None) -> PaddingFlow:
    """Disturb padded and real positions in turn, in eval mode.

    Raises:
        NotGiven: nothing is padded.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if not side_by_side(inputs, targets):
        raise NotGiven("examples do not stand along the first axis")
    number, blank, told = _padded(tensors(inputs))
    rows = blank.any(1) & ~blank.all(1)
    with evaluating(model):
        watched = Attention(blank, rows)
        with _plain_attention(), watched:
            before = answer(model, inputs, predict)
        effects = [
            _effect(before, _disturbed(model, inputs, number, where, predict), rows) for where in (blank, ~blank)
        ]
    part = tensors(inputs)[number]
    return PaddingFlow(
        rows=int(rows.sum()),
        share=float(blank[rows].float().mean()),
        padding_effect=effects[0],
        real_effect=effects[1],
        told_by=told,
        blank=bool((part[blank] == part[blank][0]).all()),
        attention=watched.shares,
    )


def _padded(parts: list[Tensor]) -> tuple[int, Tensor, str]:
    """Return the number of the padded tensor, where it is padding `(batch, time)`, and what tells the model.

    Raises:
        NotGiven: nothing is padded.
    """
    for number, part in enumerate(parts):
        if part.dim() < 2 or part.dtype == torch.bool or part.shape[1] < 3 or (part.dim() == 2 and not is_ids(part)):
            continue
        for told, blank in (*_told(parts, number), ("", _ends(part))):
            if blank is not None and bool((blank.any(1) & ~blank.all(1)).sum() >= 2):
                return number, blank, told
    raise NotGiven("no input is padded")


def _ends(part: Tensor) -> Tensor | None:
    fill = padding(part) if part.dim() == 2 else None
    return None if fill is None else part == fill


def _told(parts: list[Tensor], number: int) -> Iterator[tuple[str, Tensor | None]]:
    """Yield what lengths or masks beside a tensor say about where it is padding."""
    part = parts[number]
    places = torch.arange(part.shape[1], device=part.device)
    for other in parts[:number] + parts[number + 1 :]:
        if (
            other.shape == part.shape[:1]
            and is_ids(other)
            and int(other.min()) >= 1
            and int(other.max()) <= len(places)
        ):
            yield "lengths", places >= other[:, None]
        if other.shape == part.shape[:2] and bool(((other == 0) | (other == 1)).all()):
            yield "mask", _side(other.bool())


def _side(mask: Tensor) -> Tensor | None:
    """Return the side of a mask that is padding: the one that rows end in and never begin with."""
    for blank in (mask, ~mask):
        from_the_end = blank.flip(1).long().cumprod(1).sum(1)
        if bool((blank.sum(1) == from_the_end).all()) and not bool(blank[:, 0].any()):
            return blank
    return None


def _disturbed(model: nn.Module, inputs: Inputs, number: int, where: Tensor, predict: Predict | None) -> Tensor:
    part = tensors(inputs)[number]
    if is_ids(part):
        with _disturbed_embeddings(model, part, where):
            return answer(model, inputs, predict)
    count = iter(range(len(tensors(inputs))))

    def change(other: Tensor) -> Tensor:
        return _with_noise(other, where) if next(count) == number else other

    return answer(model, rebuilt(inputs, change), predict)


def _with_noise(values: Tensor, where: Tensor) -> Tensor:
    noise = torch.randn(values.shape, generator=torch.Generator().manual_seed(0)).to(values)
    spread = values.float().std().clamp(min=1e-6).to(values.dtype)
    return values + spread * noise * where.reshape(*where.shape, *[1] * (values.dim() - 2)).to(values.dtype)


@contextmanager
def _disturbed_embeddings(model: nn.Module, ids: Tensor, where: Tensor) -> Iterator[None]:
    """Add noise to what embeddings give for these ids at some positions."""

    def disturb(module: nn.Module, args: tuple[Any, ...], result: Tensor) -> Tensor | None:
        given = args[0] if args else None
        if isinstance(given, Tensor) and given.shape == ids.shape and bool((given == ids).all()):
            return _with_noise(result, where)
        return None

    handles = [m.register_forward_hook(disturb) for m in model.modules() if isinstance(m, nn.Embedding)]
    if not handles:
        raise NotGiven("ids are not embedded by a module that could be watched")
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _effect(before: Tensor, after: Tensor, rows: Tensor) -> float:
    """Return the mean size of the change in rows with padding, in standard deviations of the outputs."""
    if before.dim() == 0 or before.shape[0] % len(rows):
        raise NotGiven("outputs do not stand one per example along the first axis")
    change = (after - before).reshape(len(rows), -1)[rows].abs().nan_to_num()
    return float(change.mean() / before.nan_to_num().std().clamp(min=1e-12))


class Attention(TorchDispatchMode):
    """Records for every attention over the padded positions which share of it goes to padding."""

    def __init__(self, blank: Tensor, rows: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.blank, self.rows, self.shares = blank, rows, list[float]()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the operation, and look at its result where it is a softmax."""
        result = func(*args, **(kwargs or {}))
        if func.overloadpacket in (torch.ops.aten._softmax, torch.ops.aten._safe_softmax):
            self._note(result)
        return result

    def _note(self, weights: Tensor) -> None:
        batch, length = self.blank.shape
        extra = weights.shape[-1] - length if weights.dim() else -1
        if weights.dim() < 2 or extra not in (0, 1) or weights.shape[0] % batch:
            return
        by_example = weights.detach().float().reshape(batch, -1, weights.shape[-1])[self.rows, :, extra:].nan_to_num()
        share = (by_example * self.blank[self.rows][:, None]).sum(-1).mean()
        self.shares.append(float(share))


@contextmanager
def _plain_attention() -> Iterator[None]:
    """Have attention computed step by step, so that its weights can be seen."""
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
