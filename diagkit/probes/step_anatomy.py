"""What does the optimizer really see?

A copy takes some training steps of the subject's own, while the optimizer's update is held back, so that the weights
stand still and the gradients of all steps can be compared: with the clean gradient of the same batches, and with a mark
that is left in `.grad` after each step and must not be there at the next.

Source: the gradient checks of CS231n, asked of the loop instead of the layer.
"""

import copy
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.learning import StepAnatomy
from diagkit.guard import generators, untouched
from diagkit.rehearsal import plain_step
from diagkit.subject import NotGiven, TrainStep

DEEP = True
STEPS = 4  # updates that are looked at
MAX_CALLS = 70  # gathering 64 batches for one update is the most that is usual
SECONDS = 6.0
MIN_ELEMENTS = 10  # of a gradient: the direction of fewer may be that of the mark by chance
MARK = 1000.0  # times the gradient that it is left in
PILED = 0.9  # cosine with the mark from which later gradients say nothing but that
MAX_PARAMETERS = 50_000_000  # beyond, a plain step is not worth the copy

Gradients = list[Tensor]


def step_anatomy(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> StepAnatomy:
    """Call the training step until the optimizer was asked for `STEPS` updates.

    Raises:
        NotGiven: the step cannot be watched, or needs no watching.
    """
    if train_step is None and sum(p.numel() for p in model.parameters()) > MAX_PARAMETERS:
        raise NotGiven("no train_step is given, and the plain one is known")
    with untouched(model), generators(), _held(optimizer) as strangers:
        ours, opt, loss, step = copy.deepcopy((model, optimizer, loss_fn, train_step or plain_step(predict)))
        ours.train()
        watch = _Watch(ours, opt)
        try:
            _take_steps(watch, loss, step, train, predict)
        except Exception as error:  # anyone's step
            raise NotGiven(f"the training step raised {type(error).__name__}: {error}") from error
        if strangers:
            raise NotGiven("the training step uses another optimizer than the one it is handed")
    return watch.evidence()


class _Watch:
    """The optimizer's side of a training whose updates are held back."""

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        owned = {id(p) for group in optimizer.param_groups for p in group["params"]}
        self.model, self.optimizer = model, optimizer
        self.parameters = [p for p in model.parameters() if p.requires_grad and id(p) in owned]
        self.pending: list[Gradients] = []
        self.mark: Gradients = []
        self.rows: list[dict[str, float]] = []
        self.leftovers: list[float] = []
        self.calls = self.empty = 0
        self.moved = False
        self.modules_in_eval: dict[str, None] = {}
        optimizer.step = self.held_step  # type: ignore[method-assign]

    def held_step(self, closure: Callable[[], Any] | None = None, *args: Any, **kwargs: Any) -> Any:
        """Look at the gradients instead of using them, and leave a mark in them."""
        result = closure() if closure is not None else None
        seen = [torch.zeros_like(p) if p.grad is None else _dense(p.grad) for p in self.parameters]
        alive = sum(p.numel() for p in self.parameters if p.grad is not None)
        if self.mark and alive >= MIN_ELEMENTS:
            self.leftovers.append(_cosine(seen, self.mark))
        clean = [sum(parts) / len(parts) for parts in zip(*self.pending, strict=True)] if self.pending else []
        row = _row(seen, clean, [p.detach() for p in self.parameters])
        self.empty += row["norm"] == 0 and row["clean_norm"] > 0
        self.rows.append(row)
        self.pending = []
        self._leave_mark(seen)
        return result

    def _leave_mark(self, seen: Gradients) -> None:
        generator = torch.Generator().manual_seed(len(self.rows))
        self.mark = []
        for p, gradient in zip(self.parameters, seen, strict=True):
            noise = torch.randn(p.shape, generator=generator).to(p.device, gradient.dtype)
            size = float(gradient.abs().double().mean()) or 1e-4
            self.mark.append(noise * min(MARK * size, 1e4))
            p.grad = self.mark[-1].to(p.dtype)

    def evidence(self) -> StepAnatomy:
        group = self.optimizer.param_groups[0]
        eps = group.get("eps", 0.0)
        sane = self.rows[:1] if self.leftovers and min(self.leftovers) > PILED else self.rows
        if self.modules_in_eval:  # the clean gradient is that of train mode
            sane = []
        smallest = min((row["rms"] for row in sane), default=float("inf"))
        return StepAnatomy(
            calls=self.calls,
            steps=len(self.rows),
            empty_steps=self.empty,
            moved_alone=self.moved,
            leftover=min(self.leftovers, default=float("nan")),
            scales=[row["scale"] for row in sane],
            penalties=[row["penalty"] for row in sane],
            alignments=[row["alignment"] for row in sane],
            norms=[row["norm"] for row in sane],
            clean_norms=[row["clean_norm"] for row in sane],
            at_limit=[row["at_limit"] for row in sane],
            adaptive="eps" in group,
            resolution=smallest / eps if isinstance(eps, float) and eps > 0 else float("inf"),
            maximize=bool(group.get("maximize", False)),
            modules_in_eval=list(self.modules_in_eval),
        )


def _take_steps(watch: _Watch, loss_fn: Loss, step: TrainStep, train: Iterable[Any], predict: Predict | None) -> None:
    end = time.monotonic() + SECONDS
    batches = cycle(list(train))
    before = _sizes(watch.model)
    while watch.calls < MAX_CALLS and len(watch.rows) < STEPS and (time.monotonic() < end or not watch.calls):
        batch = next(batches)
        torch.manual_seed(watch.calls)
        clean = _clean(watch, loss_fn, batch, predict)
        watch.pending += [clean] if clean else []
        torch.manual_seed(watch.calls)
        watch.calls += 1
        with _modes(watch.model, watch.modules_in_eval):
            step(watch.model, copy.deepcopy(batch), loss_fn, watch.optimizer)
        if watch.calls == 1:
            watch.moved = _sizes(watch.model) != before
            if watch.moved:
                return


def _clean(watch: _Watch, loss_fn: Loss, batch: Any, predict: Predict | None) -> Gradients:
    """Return the gradient of one batch, empty where the loss cannot be computed apart from the step."""
    try:
        inputs, targets = split(batch)
        with untouched(watch.model):
            loss = loss_fn(call(watch.model, inputs, predict), copy.deepcopy(targets))
            gradients = torch.autograd.grad(loss, watch.parameters, allow_unused=True)
    except Exception:  # the step calls model and loss in its own way
        return []
    return [torch.zeros_like(p) if g is None else _dense(g) for p, g in zip(watch.parameters, gradients, strict=True)]


def _row(seen: Gradients, clean: Gradients, weights: Gradients) -> dict[str, float]:
    """Decompose the seen gradient into clean gradient, penalty along the weights, and a rest."""
    norm, largest = _dot(seen, seen) ** 0.5, max((float(g.abs().max()) for g in seen if g.numel()), default=0.0)
    count = sum(g.numel() for g in seen)
    at_limit = sum(int((g.abs() >= 0.999 * largest).sum()) for g in seen) / max(count, 1) if largest else 0.0
    row = {"norm": norm, "rms": norm / max(count, 1) ** 0.5, "at_limit": at_limit}
    if not clean or not norm:
        clean_norm = _dot(clean, clean) ** 0.5 if clean else float("nan")
        nothing = float("nan")
        return row | {"clean_norm": clean_norm, "scale": nothing, "penalty": nothing, "alignment": nothing}
    best = {"alignment": -1.0}
    for penalty in (weights, [w.sgn() for w in weights]):
        cc, cp, pp = _dot(clean, clean), _dot(clean, penalty), _dot(penalty, penalty)
        sc, sp = _dot(seen, clean), _dot(seen, penalty)
        determinant = cc * pp - cp * cp
        if determinant <= 1e-9 * cc * pp:  # all along one line, or nothing there
            scale, share = sc / max(cc, 1e-300), 0.0
        else:
            scale, share = (sc * pp - sp * cp) / determinant, (sp * cc - sc * cp) / determinant
        fitted = max(scale**2 * cc + 2 * scale * share * cp + share**2 * pp, 0.0) ** 0.5
        alignment = (scale * sc + share * sp) / max(norm * fitted, 1e-300)
        if alignment > best["alignment"]:
            ratio = abs(share) * pp**0.5 / max(abs(scale) * cc**0.5, 1e-300)
            best = {"clean_norm": cc**0.5, "scale": scale, "penalty": ratio, "alignment": alignment}
    return row | {"clean_norm": float("nan"), "scale": float("nan"), "penalty": float("nan")} | best


def _dense(gradient: Tensor) -> Tensor:
    dense = gradient.detach().to_dense() if gradient.layout != torch.strided else gradient.detach()
    return dense.clone()


def _dot(first: Gradients, second: Gradients) -> float:
    return sum(float((a.double() * b.conj().double()).sum().real) for a, b in zip(first, second, strict=True))


def _cosine(first: Gradients, second: Gradients) -> float:
    size = (_dot(first, first) * _dot(second, second)) ** 0.5
    return _dot(first, second) / size if size else 0.0


def _sizes(model: nn.Module) -> list[float]:
    return [float(p.detach().abs().double().sum()) for p in model.parameters() if p.requires_grad]


@contextmanager
def _held(optimizer: torch.optim.Optimizer) -> Iterator[list[int]]:
    """Hold back updates of the caller's own optimizer, which a step may know by another way, and count them."""
    calls: list[int] = []
    own = vars(optimizer).get("step")
    optimizer.step = lambda *_, **__: calls.append(1)  # type: ignore[method-assign, assignment]
    try:
        yield calls
    finally:
        if own is None:
            del optimizer.step
        else:
            optimizer.step = own  # type: ignore[method-assign]


@contextmanager
def _modes(model: nn.Module, in_eval: dict[str, None]) -> Iterator[None]:
    """Note the modules with dropout or batch statistics that run in eval mode."""

    def note(name: str, module: nn.Module) -> None:
        if not module.training and torch.is_grad_enabled():
            in_eval[name] = None

    hooks = [
        module.register_forward_pre_hook(lambda m, _, name=name: note(name, m))
        for name, module in model.named_modules()
        if _depends_on_mode(module)
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _depends_on_mode(module: nn.Module) -> bool:
    frozen = all(not p.requires_grad for p in module.parameters()) and any(True for _ in module.parameters())
    drops = isinstance(getattr(module, "dropout", None), float) and getattr(module, "dropout", 0.0) > 0
    if isinstance(module, nn.modules.dropout._DropoutNd):
        return module.p > 0
    return not frozen and (isinstance(module, nn.modules.batchnorm._BatchNorm) or drops)
