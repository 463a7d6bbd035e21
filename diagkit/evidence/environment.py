"""Evidence for the fifth question: is it the environment?"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RepeatedEvaluation:
    """The same weights evaluated several times."""

    figures: list[dict[str, float]]  # (repeats,)
    modules_in_training: list[str] = field(default_factory=list)  # modules in train mode while evaluating
