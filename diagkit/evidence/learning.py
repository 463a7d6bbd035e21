"""Evidence for the second question: is the model learning anything?"""

from dataclasses import dataclass


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
