"""What is a trained model's loss when it is given other examples' inputs, or noise, for the same targets?

Where that makes no difference, the inputs are not what the targets are about, or the model does not use them. Of a
sequence task only the source is exchanged; the prompt belongs to the target.

Source: random input, Slavv, 37 reasons why your neural network is not working (2017).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, is_ids, pairs, rebuilt, tensors
from diagkit.evidence.data import ExchangedInputs
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

MAX_ROWS = 1500  # of each part


def exchanged_inputs(
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    task: str,
    val: Iterable[Any] | None = None,
    predict: Predict | None = None,
) -> ExchangedInputs:
    """Compare the loss for own, exchanged and random inputs.

    Raises:
        NotGiven: the rows of the inputs are not the examples, or the loss has no finite value.
    """
    with evaluating(trained_model):
        torch.manual_seed(0)
        ask = _Asking(trained_model, loss_fn, predict, task)
        seen, fresh = ask.losses(train, noisy=True), ask.losses(val or [], noisy=False)
    if not len(seen) or not bool(torch.isfinite(seen[:, :2]).all() and torch.isfinite(fresh[:, :2]).all()):
        raise NotGiven("there is no finite loss of full batches")
    (train_gain, train_sigmas), (val_gain, val_sigmas) = _gain(seen, 1), _gain(fresh, 1)
    rows = int(seen[:, 3].sum() + fresh[:, 3].sum())
    return ExchangedInputs(rows, train_gain, train_sigmas, val_gain, val_sigmas, _gain(seen, 2)[0])


class _Asking:
    """A model and everything that is needed to ask it for a loss."""

    def __init__(self, model: nn.Module, loss_fn: Loss, predict: Predict | None, task: str) -> None:
        self.model, self.loss_fn, self.predict, self.task = model, loss_fn, predict, task

    def losses(self, batches: Iterable[Any], noisy: bool) -> Tensor:
        """Return `(batches, 4)`: the loss for own, exchanged and, if `noisy`, random inputs, and how many they are."""
        found: list[list[float]] = []
        for inputs, targets in pairs(batches):
            parts = tensors(inputs)
            size = len(parts[0]) if parts and parts[0].dim() else 0
            if size < 2 or any(not part.dim() or len(part) != size for part in [*parts, *tensors(targets)]):
                continue
            other = self._only_source(inputs, rebuilt(inputs, lambda part: part.roll(1, 0)))
            noise = self._loss(self._only_source(inputs, rebuilt(inputs, _noise)), targets) if noisy else float("nan")
            found.append([self._loss(inputs, targets), self._loss(other, targets), noise, float(size)])
            if sum(row[3] for row in found) >= MAX_ROWS:
                break
        return torch.tensor(found, dtype=torch.double).reshape(-1, 4)

    def _only_source(self, inputs: Any, other: Any) -> Any:
        if self.task != "seq2seq" or not isinstance(inputs, tuple | list) or len(inputs) < 2:
            return other
        return type(inputs)([other[0], *inputs[1:]])

    def _loss(self, inputs: Any, targets: Any) -> float:
        try:
            return float(self.loss_fn(call(self.model, inputs, self.predict), targets))
        except Exception:  # inputs that belong together, such as lengths, may not be exchangeable
            return float("nan")


def _noise(part: Tensor) -> Tensor:
    if not part.is_floating_point():
        return part.reshape(-1)[torch.randperm(part.numel())].reshape(part.shape) if is_ids(part) else part
    return part.mean() + torch.randn_like(part) * part.std()


def _gain(losses: Tensor, other: int) -> tuple[float, float]:
    """Return the share of the loss that own inputs save, and how many standard errors that is."""
    if not len(losses):
        return float("nan"), float("nan")
    weights = losses[:, 3] / losses[:, 3].sum()
    saved = losses[:, other] - losses[:, 0]
    mean, size = float((saved * weights).sum()), float((losses[:, other].abs() * weights).sum())
    error = float(saved.std() / len(losses) ** 0.5) if len(losses) > 1 else float("nan")
    return mean / max(size, 1e-12), mean / max(error, 1e-12) if error == error else float("nan")
