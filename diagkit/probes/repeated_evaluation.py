"""Does evaluating the same weights again give the same figures, and in which mode is the model meanwhile?

Source: the tutorial's evaluation in train mode: 0.268, 0.261, 0.261 where eval mode gives 0.097 three times.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.batches import Loss, Predict, call, sample, split, tensors
from diagkit.evidence.environment import RepeatedEvaluation
from diagkit.examples import Batches
from diagkit.guard import evaluating, untouched
from diagkit.rehearsal import mean_loss
from diagkit.subject import Evaluate, NotGiven

REPEATS = 3
MAX_ROWS = 100


def repeated_evaluation(
    trained_model: nn.Module,
    val: Iterable[Any],
    loss_fn: Loss,
    evaluate: Evaluate | None = None,
    predict: Predict | None = None,
) -> RepeatedEvaluation:
    """Evaluate the first `MAX_ROWS` validation examples `REPEATS` times, watching every module's mode.

    Without an evaluation of the author's it is the mean loss in eval mode.

    Raises:
        NotGiven: the evaluation raises.
    """
    some = _some(val)
    training: dict[str, None] = {}

    def watch(name: str) -> None:
        training[name or "model"] = None

    hooks = [
        module.register_forward_pre_hook(lambda m, _, name=name: watch(name) if m.training else None)
        for name, module in trained_model.named_modules()
    ]
    try:
        with untouched(trained_model):
            if evaluate is None:
                figures = [{"loss": mean_loss(trained_model, some, loss_fn, predict)} for _ in range(REPEATS)]
            else:
                figures = [_numbers(evaluate(trained_model, some)) for _ in range(REPEATS)]
    except Exception as error:
        raise NotGiven(f"the evaluation raises {type(error).__name__}: {error}") from error
    finally:
        for hook in hooks:
            hook.remove()
    inputs = split(next(iter(some)))[0]
    return RepeatedEvaluation(
        figures=figures,
        modules_in_training=list(training),
        by_author=evaluate is not None,
        mode_matters=bool(training) and mode_matters(trained_model, inputs, predict),
        forward_repeats=_same(*(_outputs(trained_model, inputs, predict, False, seed) for seed in (0, 1))),
    )


def _some(val: Iterable[Any]) -> Any:
    """Return the first examples, whole batches of them except where the first alone has more than enough."""
    if isinstance(val, Batches):
        return Batches(val.examples.take(val.rows()[0][:MAX_ROWS]), val.size)
    return sample(val, MAX_ROWS)


def _numbers(figures: Any) -> dict[str, float]:
    """Return those figures that are single numbers."""
    if not isinstance(figures, dict):
        figures = {"figure": figures}
    single = {str(k): v.item() if isinstance(v, Tensor) and v.numel() == 1 else v for k, v in figures.items()}
    return {name: float(value) for name, value in single.items() if isinstance(value, int | float)}


def mode_matters(model: nn.Module, inputs: Any, predict: Predict | None) -> bool:
    """Return whether train mode and eval mode give different outputs."""
    return not _same(*(_outputs(model, inputs, predict, mode) for mode in (False, True)))


def _outputs(model: nn.Module, inputs: Any, predict: Predict | None, train_mode: bool, seed: int = 0) -> list[Tensor]:
    """Return the outputs in one mode; none where the model does not run so."""
    try:
        with evaluating(model):
            model.train(train_mode)
            torch.manual_seed(seed)
            return [part.detach().clone() for part in tensors(call(model, inputs, predict))]
    except Exception:  # batch norm cannot train on one example
        return []


def _same(one: list[Tensor], two: list[Tensor]) -> bool:
    return len(one) == len(two) and all(torch.allclose(a, b, equal_nan=True) for a, b in zip(one, two, strict=True))
