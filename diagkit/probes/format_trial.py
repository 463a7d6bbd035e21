"""Does the training get further when its weights are kept in single precision?

The trained model takes some more steps twice, as it is and with a copy of the weights in single precision that the
optimizer updates and the model gets rounded; nothing else differs. Updates that the format swallows then add up.

Source: Micikevicius et al., Mixed precision training (2018): a copy of the weights in single precision keeps updates.
"""

import copy
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict
from diagkit.evidence.learning import FormatTrial
from diagkit.guard import generators
from diagkit.probes.number_format import HALF
from diagkit.rehearsal import continued, mean_loss, plain_step, take_steps
from diagkit.subject import NotGiven, TrainStep

DEEP = True
STEPS = 200
BATCHES = 20  # that are trained on and whose loss is compared
SECONDS = 8.0


def format_trial(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    optimizer: torch.optim.Optimizer,
    train_step: TrainStep | None = None,
    predict: Predict | None = None,
) -> FormatTrial:
    """Compare the training loss after `STEPS` more steps in both formats.

    Raises:
        NotGiven: no weights are in half precision, or a step raises.
    """
    if not any(p.requires_grad and p.dtype in HALF for p in model.parameters()):
        raise NotGiven("no weight that learns is in half precision")
    batches = list(islice(train, BATCHES))
    step = train_step or plain_step(predict)
    losses = []
    try:
        for single in (False, True):
            with generators():
                ours, opt, loss, its_step = continued(model, trained_model, optimizer, loss_fn, step)
                if single:
                    opt.step = _on_single_weights(opt)  # type: ignore[assignment, method-assign]
                if take_steps(ours, opt, loss, its_step, batches, STEPS, SECONDS) < STEPS:
                    raise NotGiven(f"{STEPS} steps take longer than {SECONDS:g} s")
            losses.append(mean_loss(ours, batches, loss, predict))
    except NotGiven:
        raise
    except Exception as error:  # anyone's step
        raise NotGiven(f"the training step raised {type(error).__name__}: {error}") from error
    return FormatTrial(STEPS, *losses)


def _on_single_weights(optimizer: torch.optim.Optimizer) -> Callable[..., None]:
    """Return a step that updates copies of the weights in single precision and rounds them for the model."""
    wide = copy.deepcopy(optimizer)
    pairs: list[tuple[Tensor, Tensor]] = []
    for group, its in zip(wide.param_groups, optimizer.param_groups, strict=True):
        group["params"] = [p.detach().float() if p.dtype in HALF else p.detach().clone() for p in its["params"]]
        pairs += zip(its["params"], group["params"], strict=True)

    @torch.no_grad()
    def step(*_: Any, **__: Any) -> None:
        for given, single in pairs:
            single.grad = None if given.grad is None else given.grad.to(single.dtype)
        wide.step()
        for given, single in pairs:
            given.copy_(single)

    return step
