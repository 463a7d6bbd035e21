"""Evidence for the second question: is the model learning anything?"""

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
    since the last update. The seen one is decomposed into `scale * clean + penalty * weights + rest`.
    """

    calls: int  # of the training step
    steps: int  # updates that the optimizer was asked for meanwhile
    empty_steps: int  # of them, with no gradient though there is a clean one
    moved_alone: bool  # the weights changed without the optimizer
    leftover: float  # cosine of the seen gradient with a mark left in the last one; about 1 where nothing was cleared
    scales: list[float]  # (steps,) of the clean gradient; 1 is healthy
    penalties: list[float]  # (steps,) norm of the part along the weights, over that of the clean part
    alignments: list[float]  # (steps,) cosine of seen and fitted gradient
    norms: list[float]  # (steps,) of the seen gradient
    clean_norms: list[float]  # (steps,)
    at_limit: list[float]  # (steps,) share of elements within 0.1 % of the largest one
    adaptive: bool  # the optimizer divides by the gradient's own size
    resolution: float  # rms of the smallest seen gradient over the optimizer's eps; infinite where it has none
    maximize: bool  # the optimizer goes up
    modules_in_eval: list[str]  # with dropout or batch statistics, in eval mode meanwhile

    @property
    def calls_per_step(self) -> int:
        """Batches that are gathered for one update."""
        return round(self.calls / self.steps) if self.steps else 0
