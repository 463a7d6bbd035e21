"""Evidence for the second question: is the model learning anything?"""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GradientFlow:
    """Backward passes of a few batches: what reaches every parameter tensor."""

    names: list[str]
    states: list[str]  # live, frozen (requires_grad off), dead (gradient None or all zero) or unused (nothing depends)
    norms: list[float]  # of the gradient; 0 where there is none
    prepared: list[str] = field(default_factory=list)  # frozen ones that were trained, loaded or declared before

    def named(self, state: str) -> list[str]:
        """Return the names of the parameters in one state."""
        return [name for name, its in zip(self.names, self.states, strict=True) if its == state]


@dataclass(frozen=True)
class Ownership:
    """Which parameters the optimizer owns."""

    parameters: int
    missing: list[str]  # parameters that learn but no optimizer owns
    foreign: int = 0  # tensors that the optimizer owns and the model does not have
    unregistered: list[str] = field(default_factory=list)  # tensors in plain lists or dicts of the model, not owned


@dataclass(frozen=True)
class StepAnatomy:
    """What the optimizer is given in a few training steps, while its updates are held back.

    The clean gradient is that of `loss_fn` at the same weights, batches and random state, averaged over the batches
    since the last update. The seen one is decomposed into `scale * clean + penalty * weights + rest`. The defaults are
    a healthy step.
    """

    calls: int = 4  # of the training step
    steps: int = 4  # updates that the optimizer was asked for meanwhile
    empty_steps: int = 0  # of them, with no gradient though there is a clean one
    moved_alone: bool = False  # the weights changed without the optimizer
    leftover: float = 0.0  # cosine of the gradient with a mark left in the one before; about 1 if nothing was cleared
    scales: list[float] = field(default_factory=lambda: [1.0] * 4)  # (steps,) of the clean gradient; 1 is healthy
    penalties: list[float] = field(default_factory=list)  # (steps,) norm of the part along the weights / clean part
    alignments: list[float] = field(default_factory=lambda: [1.0] * 4)  # (steps,) cosine of seen and fitted gradient
    norms: list[float] = field(default_factory=lambda: [1.0, 0.9, 1.1, 1.0])  # (steps,) of the seen gradient
    clean_norms: list[float] = field(default_factory=lambda: [1.0, 0.9, 1.1, 1.0])  # (steps,)
    at_limit: list[float] = field(default_factory=list)  # (steps,) share of elements within 0.1 % of the largest one
    adaptive: bool = False  # the optimizer divides by the gradient's own size
    resolution: float = float("inf")  # rms of the smallest seen gradient over the optimizer's eps
    maximize: bool = False  # the optimizer goes up
    modules_in_eval: list[str] = field(default_factory=list)  # with dropout or batch statistics, meanwhile

    @property
    def calls_per_step(self) -> int:
        """Batches that are gathered for one update."""
        return round(self.calls / self.steps) if self.steps else 0

    @property
    def clipped(self) -> bool:
        """Whether all updates are equally long while their gradients differ, or most elements stand at one limit."""
        if len(self.norms) > 1 and max(self.norms) > 0 and _spread(self.norms) < 1e-3 < 10 * _spread(self.clean_norms):
            return True
        return bool(self.at_limit) and min(self.at_limit) > 0.3


@dataclass(frozen=True)
class PlannedRates:
    """The learning rate at every step of the training that is planned."""

    steps: int  # of the whole training
    asked: float  # the rate that the optimizer or the scheduler is told to reach
    rates: list[float]  # (points,) highest rate of any group, evenly spaced over the training; one where it is constant
    problem: str = ""  # what the scheduler raised
    share: float = 1.0  # of the training that it got through, in [0, 1]


@dataclass(frozen=True)
class RateTrial:
    """The loss on the same training batches after a few steps at other rates, beside that of the whole run."""

    steps: int  # of each trial
    run_steps: int  # of the run
    untrained: float  # loss, in its own unit
    trained: float
    factors: list[float]  # (trials,) of the run's highest rate
    losses: list[float]  # (trials,) NaN where a trial diverged or there was no time for it

    def gain(self, larger: bool) -> float:
        """Return the best fall of the loss at larger, or smaller, rates."""
        pairs = zip(self.factors, self.losses, strict=True)
        return max((self.untrained - its for f, its in pairs if (f > 1) == larger and its == its), default=0.0)


@dataclass(frozen=True)
class InitialLoss:
    """The loss of the untrained model, beside that of outputs that know nothing."""

    rows: int
    loss: float  # the smaller of eval and train mode, since a normalization may not have seen any data yet
    reference: float  # of outputs that are all zero, or the same probability for every class
    input_size: float  # root mean square of the inputs; NaN for ids


@dataclass(frozen=True)
class WeightDistribution:
    """Every weight of the untrained model."""

    names: list[str]
    shapes: list[list[int]]
    means: list[float]
    stds: list[float]
    largest: list[float]  # absolute value
    gains: list[float]  # std * sqrt(fan-in) for the weights of linear, convolutional and recurrent layers, else NaN
    finite: list[bool]
    hidden: list[bool]  # a layer whose output goes into another one with a weight
    normalized: bool  # the model has normalization layers


@dataclass(frozen=True)
class UnitSymmetry:
    """Units of a trained layer that still have the same weights."""

    names: list[str]
    same: list[float]  # (layers,) share of units whose weights equal another one's, trained
    start: list[float]  # (layers,) same, untrained
    moved: bool = True  # the training changed some weight of the model


@dataclass(frozen=True)
class GradientSpread:
    """How strongly the loss reacts to each weight, in the order of the forward pass: |w| |g| / |loss|, by layer."""

    names: list[str]
    untrained: list[float]
    trained: list[float]


@dataclass(frozen=True)
class UnitActivity:
    """What the activations of a trained model do over many examples."""

    examples: int
    names: list[str]  # module in which the activation is called
    kinds: list[str]  # relu, sigmoid, tanh
    units: list[int]
    dead: list[float]  # share of units that are zero throughout (relu)
    dead_before: list[float]  # the same, untrained
    saturated: list[float]  # share of values within 1 % of a limit (sigmoid, tanh)
    saturated_before: list[float]  # the same, untrained
    is_output: list[bool]


@dataclass(frozen=True)
class FiniteValues:
    """Where NaN or infinity arises, forward and backward, in the untrained model; empty where nowhere."""

    batches: int
    inputs: bool  # all inputs and targets are finite
    module: str  # the first one with finite inputs and another output, in a batch whose loss or gradient is not finite
    loss: float  # of the first such batch, else of the last
    gradients: list[str]  # parameters whose gradient is not finite while the loss is


@dataclass(frozen=True)
class NumberFormat:
    """What the number formats of weights and data lose; shares in [0, 1]."""

    formats: list[str]  # of the parameters that learn
    lost_updates: float  # share of half-precision weights that stay as they are though the update is not zero
    lost_gradients: float  # share of elements whose gradient is zero in half precision only
    coarsest: float  # step between neighbouring numbers at the mean of an input or target / its standard deviation
    where: str  # that input or target
    format: str  # of it


@dataclass(frozen=True)
class BatchSizes:
    """How many examples a batch holds, and how many values a batch normalization sees."""

    typical: int
    smallest: int
    rows: int  # of the training, as far as sampled
    normalizations: list[str]
    values: list[int]  # (normalizations,) per channel in a typical batch
    smallest_values: list[int]  # (normalizations,) per channel in the smallest batch


@dataclass(frozen=True)
class RegularizationTrial:
    """The validation loss after some more steps of the trained model, with its regularization and without."""

    steps: int
    weight_decay: float  # the largest of any group
    dropout: float  # the largest of any module
    untrained: float
    trained: float
    kept: float  # after the steps with it, from the trained or the untrained weights, the smaller
    without: float  # after the steps without it, from the trained or the untrained weights, the smaller


@dataclass(frozen=True)
class FormatTrial:
    """The training loss after some more steps of the trained model, in its number format and in single precision."""

    steps: int
    kept: float
    single: float


@dataclass(frozen=True)
class OneBatch:
    """Adam at 1e-3 on one batch."""

    steps: int
    start: float
    end: float
    clipped: float  # share of steps whose gradient norm was above the clip of 100
    largest_norm: float


@dataclass(frozen=True)
class UpdateRatios:
    """Standard deviation of the update over that of the weight, as log10, at the rate that was asked for."""

    names: list[str]
    ratios: list[float]

    def median(self) -> float:
        """Return the middle one."""
        return sorted(self.ratios)[len(self.ratios) // 2]


@dataclass(frozen=True)
class LossScale:
    """How the loss grows with the batch: 1 where it averages over examples, 2 where it adds them up."""

    growth: float  # loss of a batch given twice, by rows or positions, over that of the batch
    rows: int  # of the batch
    reacts: bool  # the gradient's size matters to the optimizer (plain or momentum SGD)


@dataclass(frozen=True)
class FitAndLoss:
    """Whether the outputs follow the targets where the loss falls, before and after training."""

    rows: int
    kind: str  # accuracy, order or error
    loss_before: float
    loss_after: float
    fit_before: float  # accuracy or order (chance that an example of class 1 stands above one of 0), else -error
    fit_after: float
    chance: float  # of accuracy or order; NaN for an error
    correlation: float = math.nan  # of outputs and targets after training, where the fit is an error


@dataclass(frozen=True)
class GraphCut:
    """Positions of the input that reach the loss, but not by the gradient."""

    positions: int
    reaching: int  # whose small change moves the outputs
    cut: list[int]  # of them, with a gradient of exactly zero, while another position has one


def _spread(values: list[float]) -> float:
    return (max(values) - min(values)) / max(max(values), 1e-300)
