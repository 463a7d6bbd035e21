"""How does the loss function behave, whatever its name?

It is called on outputs made for the purpose, of the shape that the model gives, beside real or made targets. No
training and no backward pass.

Source: PyTorch documentation of the losses (what each expects of its input and target).
"""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from diagkit.batches import Loss, Predict, output, rebuilt, tensors
from diagkit.evidence.wrong_thing import LossForm
from diagkit.guard import evaluating
from diagkit.probes._activation import REACH, last_activation
from diagkit.probes._asking import affordable, first_examples, loss_of, outputs_of, side_by_side, with_prediction
from diagkit.probes.output_form import axes_of_classes, kind, summing_axes
from diagkit.subject import NotGiven, TrainStep

ROWS = 32
STRAY = 0.2  # beside the logarithm of a mean; the lowest place is known to that
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # of logits, among which the best is looked for
Price = Callable[..., float | None]  # (prediction, targets) -> loss


def loss_form(
    model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    task: str,
    predict: Predict | None = None,
    train_step: TrainStep | None = None,
) -> LossForm:
    """Try the loss on exchanged targets, shifted outputs and the best and worst outputs there are.

    Raises:
        NotGiven: the model or the loss raises on a real batch, or targets are no tensor.
    """
    inputs, targets = first_examples(train, affordable(model, ROWS))
    if not tensors(targets):
        raise NotGiven("targets are no tensor")
    with evaluating(model):
        activation = _activation(model, inputs, predict)
        outputs = outputs_of(model, inputs, predict)
        loss = loss_of(loss_fn, outputs, targets)
        real, target = output(outputs).float(), tensors(targets)[0]
        what = kind(target, real)
        axes = axes_of_classes(real, target, what)
        limits = (0.0, 1.0) if set(summing_axes(real)) & set(axes) else REACH.get(activation, (None, None))
        price = partial(_price, loss_fn, outputs, targets)
        made = _within(real, target, activation, axes)
        class_shift, batch_shift = _shifts(price, made, axes or _columns(real, target, what))
        best = _Best(price, real, target, what, axes[-1] if axes else None, *limits)
        return LossForm(
            elements=loss.numel(),
            own_step=train_step is not None,
            parts=len(tensors(outputs)),
            pairing_effect=_pairing(price, made, targets) if side_by_side(inputs, targets) else None,
            target_effect=_target_effect(price, made, targets, what),
            mean_beats_truth=_mean_beats_truth(price, real, target),
            class_shift=class_shift,
            batch_shift=batch_shift,
            slopes=_slopes(price, made, target, what),
            descent=best.descent(),
            in_reach=best.in_reach(),
            free=best.free(),
            floor=best.settled(1),
            ceiling=best.settled(-1),
            normalized_ratio=best.normalized_ratio(),
            chance=price(torch.full_like(real, 0.5 if activation == "sigmoid" else 0.0)),
            ids_as_numbers=task == "classification" and _ids_as_numbers(price, real, target),
            logs_expected=_logs_expected(price, real, target),
        )


def _activation(model: nn.Module, inputs: Any, predict: Predict | None) -> str:
    with torch.enable_grad():
        return last_activation(output(outputs_of(model, inputs, predict)))


def _price(loss_fn: Loss, outputs: Any, targets: Any, prediction: Tensor, others: Any = None) -> float | None:
    """Return the loss of a prediction; None where there is none."""
    first = output(outputs)
    try:
        loss = loss_of(
            loss_fn, with_prediction(outputs, prediction.to(first.dtype)), targets if others is None else others
        )
    except NotGiven:
        return None
    value = float(loss.double().mean())
    return value if abs(value) < float("inf") else None


def _within(real: Tensor, target: Tensor, activation: str, axes: list[int]) -> Tensor:
    """Return random outputs of the same shape that the model could give."""
    noise = torch.randn(real.shape, generator=torch.Generator().manual_seed(0)).to(real.device)
    if activation in ("softmax", "safesoftmax", "logsoftmax"):
        scores = noise.softmax(axes[-1] if axes else -1)
        return scores.log() if activation == "logsoftmax" else scores
    if activation in ("sigmoid", "hardsigmoid"):
        return noise.sigmoid()
    if activation in ("tanh", "hardtanh"):
        return noise.tanh()
    numbers = target.is_floating_point() and target.numel() > 1 and not activation
    made = noise * target.float().std().clamp(min=1e-3) + target.float().mean() if numbers else noise
    low, high = REACH.get(activation, (None, None))
    return made.abs() if low == 0 else -made.abs() if high == 0 else made


def _shifts(price: Price, made: Tensor, axes: list[int]) -> tuple[float | None, float | None]:
    """Return the effects of shifting classes and of shifting the batch, for the axis that shifts the least."""
    pairs = [(_shift(price, made, axis, True), _shift(price, made, axis, False)) for axis in axes]
    known = [pair for pair in pairs if None not in pair]
    return min(known, key=lambda pair: pair[0] or 0.0) if known else (None, None)


def _columns(real: Tensor, target: Tensor, what: str) -> list[int]:
    several = real.dim() == 2 and real.shape[1] > 1 and real.shape == target.shape
    return [1] if what == "zeros and ones" and several else []


def _target_effect(price: Price, made: Tensor, targets: Any, what: str) -> float | None:
    """Return the effect of other targets; None where there is but one, which may be a placeholder."""
    if all(bool((part == part.flatten()[0]).all()) for part in tensors(targets)):
        return None
    return _change(price(made), price(made, rebuilt(targets, partial(_other, what=what))))


def _mean_beats_truth(price: Price, real: Tensor, target: Tensor) -> bool:
    if target.numel() != real.numel() or not target.is_floating_point():
        return False
    truth = target.reshape(real.shape).to(real.dtype)
    mean, own = price(truth.mean(0, keepdim=True).expand_as(truth)), price(truth)
    return mean is not None and own is not None and mean < own


def _logs_expected(price: Price, real: Tensor, target: Tensor) -> bool:
    """Return whether of all equal outputs those at the logarithm of the mean target cost least, as of rates."""
    if target.numel() != real.numel() or not target.is_floating_point() or bool((target < 0).any()):
        return False
    mean = float(target.float().mean())
    if mean <= 0 or abs(mean - math.log(mean)) < 2 * STRAY:
        return False
    places = [math.log(mean) + stray for stray in (0.0, -STRAY, STRAY)] + [mean]
    lowest, *others = (price(torch.full_like(real, place)) for place in places)
    return lowest is not None and all(other is not None and lowest < other for other in others)


def _ids_as_numbers(price: Price, real: Tensor, target: Tensor) -> bool:
    if target.numel() != real.numel() or target.is_complex():
        return False
    values = target.double()
    several = len(values.unique()) > 2 and bool((values == values.round()).all()) and bool((values >= 0).all())
    hit, missed = price(target.to(real.dtype).reshape(real.shape)), price(torch.zeros_like(real))
    return several and hit is not None and missed is not None and abs(hit) < 1e-6 * abs(missed)


def _change(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else abs(after - before) / max(abs(before), 1e-12)


def _pairing(price: Price, made: Tensor, targets: Any) -> float | None:
    """Return the largest relative change over three exchanges of made targets."""
    count = len(tensors(targets)[0])
    if count < 4:
        return None
    varied = rebuilt(targets, _varied)
    effects = [
        _change(price(made, varied), price(made, rebuilt(varied, partial(torch.roll, shifts=by, dims=0))))
        for by in (1, 2, 3)
    ]
    known = [effect for effect in effects if effect is not None]
    return max(known) if known else None


def _varied(target: Tensor) -> Tensor:
    """Return targets that differ between examples, of the same kind."""
    if not target.is_floating_point():
        return target
    spots = torch.arange(len(target), device=target.device).reshape(-1, *[1] * (target.dim() - 1))
    if bool(((target == 0) | (target == 1)).all()):
        return ((spots * 7 % 5) % 2).to(target.dtype).expand_as(target).clone()
    return target + target.std().nan_to_num() * torch.sin(12.9898 * spots.double()).to(target.dtype)


def _other(target: Tensor, what: str) -> Tensor:
    """Return targets with every value replaced by another one of the same kind."""
    if what == "ids":
        top = int(target.max())
        return torch.where((target >= 0) & (target <= top), (target + 1) % (top + 1), target)
    if bool(((target == 0) | (target == 1)).all()):
        return 1 - target if target.dtype != torch.bool else ~target
    return target + max(1.0, float(target.double().std())) if target.is_floating_point() else target + 1


def _shift(price: Price, made: Tensor, axis: int, over_classes: bool) -> float | None:
    """Add one number to all classes of an example, or to one class of all examples."""
    shape = [1 if (place == axis) == over_classes else size for place, size in enumerate(made.shape)]
    numbers = 3 * torch.randn(shape, generator=torch.Generator().manual_seed(1)).to(made.device)
    return _change(price(made), price(made + numbers))


def _slopes(price: Price, made: Tensor, target: Tensor, what: str) -> list[float]:
    size = max(1.0, float(target.abs().max())) if what == "numbers" else 1.0
    before = price(made)
    slopes = []
    for step in (-20 * size, -10 * size, 10 * size, 20 * size):
        after = price(made + step)
        if before is None or after is None:
            return []
        slopes.append((after - before) / step)
    return slopes


class _Best:
    """The best and the worst outputs for known targets, and what the loss asks for them."""

    def __init__(
        self, price: Price, real: Tensor, target: Tensor, what: str, axis: int | None, low: Any, high: Any
    ) -> None:
        self.price, self.low, self.high, self.axis, self.what = price, low, high, axis, what
        self.goal = _goal(real, target, what, axis)  # 1 where an output should be high, 0 where low; or numbers

    def free(self) -> float | None:
        """Return the lowest loss without any limit."""
        if self.goal is None:
            return None
        if self.what == "numbers":
            return self.price(self.goal)
        return _lowest(self.price(size * self._signed()) for size in SIZES)

    def descent(self) -> list[float]:
        """Return the loss of right outputs of growing size; empty where it gives no number."""
        if self.goal is None:
            return []
        goal = (
            (self.goal - self.goal.mean()) / self.goal.std(correction=0).clamp(min=1e-12)
            if self.what == "numbers"
            else self._signed()
        )
        prices = [self.price(size * goal) for size in (50, 100, 200)]
        return [price for price in prices if price is not None] if None not in prices else []

    def in_reach(self) -> float | None:
        """Return the lowest loss within the limits of the last activation."""
        if self.goal is None or (self.low is None and self.high is None) or self.high == 0:
            return None
        if self.what == "numbers":
            return self.price(self.goal.clamp(self.low, self.high))
        sizes = SIZES if self.high is None else (self.high - self.low,)
        return _lowest(self.price(self.low + size * self.goal) for size in sizes)

    def settled(self, sign: int) -> float | None:
        """Return the loss of extreme outputs, right or wrong, where it does not depend on how extreme they are."""
        if self.goal is None or self.what == "numbers":
            return None
        signed = self._signed() if sign > 0 else self._wrong()
        near, far = self.price(50 * signed), self.price(100 * signed)
        return far if near is not None and far is not None and abs(far - near) <= 1e-3 * max(1.0, abs(far)) else None

    def normalized_ratio(self) -> float | None:
        """Return right over wrong loss of a loss on scores that is given the perfect shares instead."""
        if self.goal is None or self.what == "numbers":
            return None
        if self.axis is None:
            right, wrong = (F.softplus(-self._signed() * shares) for shares in (self.goal, 1 - self.goal))
            return float(right.mean() / wrong.mean())
        count = self.goal.shape[self.axis]
        total = torch.tensor(torch.e + count - 1).log()
        return float((total - 1) / total)

    def _signed(self) -> Tensor:
        assert self.goal is not None
        return 2 * self.goal - 1 if self.axis is None else self.goal

    def _wrong(self) -> Tensor:
        assert self.goal is not None
        return 1 - 2 * self.goal if self.axis is None else self.goal.roll(1, self.axis)


def _goal(real: Tensor, target: Tensor, what: str, axis: int | None) -> Tensor | None:
    if what == "ids" and axis is not None:
        count = real.shape[axis]
        hot = F.one_hot(target.clamp(0, count - 1).long(), count).to(real.dtype)
        return hot.reshape(real.shape) if hot.dim() != real.dim() else hot.movedim(-1, axis)
    if target.numel() != real.numel() or (what == "shares" and not bool(((target == 0) | (target == 1)).all())):
        return None
    return target.to(real.dtype).reshape(real.shape) if what in ("shares", "zeros and ones", "numbers") else None


def _lowest(prices: Iterable[float | None]) -> float | None:
    known = [price for price in prices if price is not None]
    return min(known) if known else None
