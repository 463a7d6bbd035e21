"""Evidence for the third question: is it learning the wrong thing?"""

from dataclasses import dataclass


@dataclass(frozen=True)
class WordOrder:
    """How strongly the output follows the source, total variation distance in [0, 1], 90 % quantile over sentences."""

    sentences: int
    exchange_effect: float  # of exchanging two neighbouring words
    replacement_effect: float  # of replacing one word by another
