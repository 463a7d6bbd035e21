"""Evidence for the third question, of the fit itself: too much of it, too little, or too early an end."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fit:
    """Losses before and after the training, in eval mode, per example."""

    untrained: float  # on validation examples
    train: float
    val: float
    best_val: float  # the lowest of the training
    train_rows: int
    nats: bool  # the loss is a cross entropy: untrained it is near ln(classes)


@dataclass(frozen=True)
class Continuation:
    """Some more steps on a copy."""

    taken: int  # steps of the training
    more: int  # steps after it
    untrained: float  # validation loss
    before: float  # the lowest of the training
    after: float  # after `more` steps
    train_before: float
    train_after: float
    rate: float  # of the last step, share of the highest


@dataclass(frozen=True)
class IndependentLearner:
    """How well another kind of learner does the same task; 1 is perfect, 0 is guessing without inputs."""

    learner: str
    train_rows: int
    val_rows: int
    its_skill: float  # on validation examples
    model_skill: float  # on validation examples
    model_train_skill: float  # on training examples
    spread: float  # standard error of the difference of the two on validation
