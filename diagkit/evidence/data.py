"""Evidence for the first question: is the data what you think it is?"""

from dataclasses import dataclass


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
