"""Types and possible ranges of a composed config.

Ranges refuse the impossible, not the unhealthy: a breakage needs bad values. Sections that name an importable
function (`data`, `model`, `loss`, `score`, `optimizer`) take that function's arguments, so their keys come from
the recipe; the others are typed here.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING


class Decay(Enum):
    """What the learning rate does once the warm-up is over."""

    constant = "constant"
    cosine = "cosine"


class Mode(Enum):
    """The mode a model is put into before it is evaluated."""

    eval = "eval"
    train = "train"


@dataclass
class Schedule:
    """The learning rate over the steps."""

    warmup: int = 0  # steps of linear rise from 0 to optimizer.lr
    decay: Decay = Decay.constant
    floor: float = 0.1  # share of optimizer.lr that a cosine decay ends at


@dataclass
class Training:
    """The budget, in optimizer steps: a smaller corpus then changes only the corpus."""

    steps: int = MISSING
    batch_size: int = 64
    clip_norm: float | None = None  # largest norm of the whole gradient; null does not clip
    evaluate_every: int = MISSING  # steps between two validation losses


@dataclass
class Evaluation:
    """How the trained model is scored."""

    mode: Mode = Mode.eval
    test_overlap: float = 0.0  # share of the test set that is replaced by training examples
    not_loaded: list[str] = field(default_factory=list)  # patterns of parameters that keep their initial values


@dataclass
class Runtime:
    """Where a run computes."""

    device: str = "cpu"
    threads: int = 1  # of one run; part of its key, since another count gives other bits


@dataclass
class Config:
    """The whole composed config."""

    title: str = MISSING
    task: str = MISSING  # classification, binary, regression, seq2seq or language_model
    data: dict[str, Any] = MISSING
    model: dict[str, Any] = MISSING
    loss: dict[str, Any] = MISSING
    score: dict[str, Any] = MISSING
    optimizer: dict[str, Any] = MISSING
    schedule: Schedule = field(default_factory=Schedule)
    training: Training = field(default_factory=Training)
    evaluation: Evaluation = field(default_factory=Evaluation)
    sabotage: str | None = None  # a function of diagkit/sabotage.py that breaks model, loss or optimizer
    runtime: Runtime = field(default_factory=Runtime)
    checks: dict[str, Any] = field(default_factory=dict)  # thresholds that differ here, with their reason
    expect: dict[str, Any] = field(default_factory=dict)  # checks that the control of this recipe fails
    seeds: list[int] = field(default_factory=lambda: [0])
    jobs: int = 2
    allow_confounded: bool = False
    deep: bool = False
    mystery: int = 0
    reveal: bool = False
    store: str = "outputs/store"
    breakage: dict[str, Any] = field(default_factory=dict)


# Sections that make up the experiment; what is not here neither changes a result nor counts as a difference.
EXPERIMENT = (
    "task",
    "data",
    "model",
    "loss",
    "score",
    "optimizer",
    "schedule",
    "training",
    "evaluation",
    "sabotage",
    "runtime",
)

# Smallest and largest possible value, both included; None is open.
RANGES: dict[str, tuple[float, float | None]] = {
    "jobs": (1, None),
    "data.train_size": (1, None),
    "data.val_size": (1, None),
    "data.test_size": (1, None),
    "data.max_words": (1, None),
    "model.dropout": (0, 1),
    "model.embedding_std": (0, None),
    "score.beam": (1, None),
    "optimizer.lr": (0, None),
    "optimizer.weight_decay": (0, None),
    "schedule.warmup": (0, None),
    "schedule.floor": (0, 1),
    "training.steps": (1, None),
    "training.batch_size": (1, None),
    "training.clip_norm": (0, None),
    "training.evaluate_every": (1, None),
    "evaluation.test_overlap": (0, 1),
    "runtime.threads": (1, None),
}


def register() -> None:
    """Store the schema where the defaults list of `conf/config.yaml` finds it; call before composing."""
    ConfigStore.instance().store(name="schema", node=Config)
