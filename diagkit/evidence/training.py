"""Evidence of a whole training and its scores."""

from dataclasses import dataclass


@dataclass(frozen=True)
class History:
    """A training, step by step."""

    losses: list[float]  # (steps,) of the batch, in train mode, nats or the unit of the loss
    rates: list[float]  # (steps,) learning rate that the step was taken with
    asked_rate: float  # the optimizer's setting, before any schedule
    val_steps: list[int]  # (evaluations,) steps taken before each validation loss
    val_losses: list[float]  # (evaluations,) in eval mode
    planned_steps: int = 0  # what the training was meant to take; 0 where it took them all

    def early_loss(self) -> float:
        """Return the mean loss of the steps up to the first evaluation."""
        return _mean(self.losses[: self.val_steps[0]])

    def final_loss(self) -> float:
        """Return the mean loss of the steps since the last but one evaluation."""
        return _mean(self.losses[self.val_steps[-2] if len(self.val_steps) > 1 else 0 :])


@dataclass(frozen=True)
class Scores:
    """The evaluation of a trained model, as its config says."""

    metric: str
    value: float
    val_loss: float
    extra: dict[str, float]
    signature: str
    statistics: list[list[float]]  # (test examples, figures), see `diagkit.score`
    outputs: list[str]  # (test examples,)
    truths: list[str]
    inputs: list[str]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
