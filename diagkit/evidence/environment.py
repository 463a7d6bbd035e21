"""Evidence for the fifth question: is it the environment?"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RepeatedEvaluation:
    """The same weights evaluated several times."""

    figures: list[dict[str, float]]  # (repeats,)
    modules_in_training: list[str] = field(default_factory=list)  # modules in train mode while evaluating
    by_author: bool = True  # figures of the subject's own evaluation, not of the loss in eval mode
    mode_matters: bool = True  # train mode and eval mode give different outputs
    forward_repeats: bool = True  # two eval-mode passes over one batch give equal outputs


@dataclass(frozen=True)
class RepeatedForward:
    """One batch passed twice through the model in eval mode."""

    draws: list[str]  # random functions that were called meanwhile
    differs: bool
    module: str = ""  # the innermost one whose outputs differ although its inputs are equal
    outputs: int = 1  # tensors that the model returns
    reconstructs: bool = False  # the targets are the inputs


@dataclass(frozen=True)
class TrainingModes:
    """Modules whose mode matters, watched during one training step."""

    watched: int
    in_eval: list[str]  # dropout and batch statistics that were off although what surrounds them learns
    by_author: bool = True  # the subject's own step, not the usual one


@dataclass(frozen=True)
class NormalizationStatistics:
    """Running statistics of every normalization layer against those of the training batches."""

    layers: list[str]
    shifts: list[float]  # (layers,) distance of the means, in standard deviations of the data, median over channels
    scales: list[float]  # (layers,) running / batch variance, median over channels of |ln|
    loss_with_running: float  # of training batches, dropout off
    loss_with_batch: float  # the same with the statistics of the batches
    loss_untrained: float


@dataclass(frozen=True)
class InitialTraces:
    """Frozen layers and what their values look like."""

    frozen: list[str]  # parameters that are frozen and have a shape that can be judged
    random: list[str]  # those that are like PyTorch's initial values
    excluded: bool  # no optimizer owns any of them: frozen on purpose
    expected: bool = False  # all of `random` are declared as frozen
    law: str = ""  # of the first random one


@dataclass(frozen=True)
class EmbeddingOrder:
    """Whether a frozen embedding knows what the ids of this data mean."""

    module: str
    ids: int  # the frequent ids that were compared
    reliability: float  # correlation of what an id goes with between halves of the data
    agreement: float  # of the rows with that, in standard deviations over shuffled rows
    best_shift: int  # ids + shift agree best
    shifted_agreement: float  # with that shift
    looks_new: bool  # the values follow the law of a new embedding


@dataclass(frozen=True)
class TrainingRun:
    """How a training ended."""

    steps: int  # that were taken
    error: str  # what it raised, `Type: message`; empty where it raised nothing


@dataclass(frozen=True)
class LoadedWeights:
    """What the scored model has of the trained one."""

    tensors: int
    different: list[str]  # names of those whose values are not the trained ones
    initial: int  # of the different ones, those that still have their initial values


@dataclass(frozen=True)
class Devices:
    """Where parameters and batches live."""

    parameters: dict[str, str]  # device by the first parameter or buffer on it
    batches: list[str]
    available: list[str]


@dataclass(frozen=True)
class RepeatedSteps:
    """A short training taken twice from one state and one seed."""

    steps: int
    losses: list[list[float]]  # (2, steps)
    batches_repeat: bool = True  # the loader gives the same batches from one seed
