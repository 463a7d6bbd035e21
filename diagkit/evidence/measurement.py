"""Evidence for the fourth question: is the measurement lying?"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Overlap:
    """Test inputs that also occur in training; shares in [0, 1]."""

    rows: int
    exact: float
    normalized: float  # after folding case, spacing and punctuation
    sample: str = ""  # one of them
