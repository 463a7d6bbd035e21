"""Evidence: what probes measure and checks judge.

Each class is the evidence of the probe of the same name (`WordOrder` of `probes/word_order.py`), made of plain
numbers, strings, lists and dicts, so that it is stored as JSON and judged again later without training.
"""

import re
import sys
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class History:
    """A training, step by step."""

    losses: list[float]  # (steps,) of the batch, in train mode, nats or the unit of the loss
    rates: list[float]  # (steps,) learning rate that the step was taken with
    asked_rate: float  # the optimizer's setting, before any schedule
    val_steps: list[int]  # (evaluations,) steps taken before each validation loss
    val_losses: list[float]  # (evaluations,) in eval mode

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


@dataclass(frozen=True)
class Alignment:
    """How well the sides of a parallel corpus belong together; shares in [0, 1], 0.5 is chance."""

    rows: int
    beats_random: float  # share of rows whose own target is more associated than a random row's
    beats_neighbour: float  # same against the next and the previous row, the smaller
    length_correlation: float  # Pearson, of words per side; NaN where a side has one length
    anchor_agreement: float  # share of rows whose sides have a name or number in common
    anchored_share: float  # share of rows with a name or number on both sides


@dataclass(frozen=True)
class InputDependence:
    """Whether targets can be predicted from inputs at all."""

    rows: int
    skill: float  # share of the targets' spread or errors that the nearest training example explains; 0 is chance
    chance_spread: float  # standard deviation of `skill` over shuffled targets


@dataclass(frozen=True)
class GradientFlow:
    """One backward pass: what reaches every parameter tensor."""

    names: list[str]
    states: list[str]  # live, frozen (requires_grad off) or dead (gradient None or all zero)
    norms: list[float]  # of the gradient; 0 where there is none

    def named(self, state: str) -> list[str]:
        """Return the names of the parameters in one state."""
        return [name for name, its in zip(self.names, self.states, strict=True) if its == state]


@dataclass(frozen=True)
class Ownership:
    """Which parameters the optimizer owns."""

    parameters: int
    missing: list[str]  # parameters that learn but no optimizer owns


@dataclass(frozen=True)
class WordOrder:
    """How strongly the output follows the source, total variation distance in [0, 1], 90 % quantile over sentences."""

    sentences: int
    exchange_effect: float  # of exchanging two neighbouring words
    replacement_effect: float  # of replacing one word by another


@dataclass(frozen=True)
class Overlap:
    """Test inputs that also occur in training; shares in [0, 1]."""

    rows: int
    exact: float
    normalized: float  # after folding case, spacing and punctuation
    sample: str = ""  # one of them


@dataclass(frozen=True)
class RepeatedEvaluation:
    """The same weights evaluated several times."""

    figures: list[dict[str, float]]  # (repeats,)
    modules_in_training: list[str] = field(default_factory=list)  # modules in train mode while evaluating


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


Evidence = Any  # one of the classes above


def evidence_type(name: str) -> type[Any]:
    """Return the class of a probe's evidence: `word_order` gives `WordOrder`.

    Raises:
        KeyError: there is no such evidence.
    """
    camel = re.sub(r"(?:^|_)(\w)", lambda match: match.group(1).upper(), name)
    return dict(vars(sys.modules[__name__]))[camel]  # type: ignore[no-any-return]


def to_plain(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as what JSON holds."""
    return asdict(evidence)


def from_plain(name: str, plain: dict[str, Any]) -> Evidence:
    """Return what `to_plain` was given."""
    return evidence_type(name)(**plain)
