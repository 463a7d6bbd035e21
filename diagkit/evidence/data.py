"""Evidence for the first question: is the data what you think it is?"""

import math
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
    ids: bool = False  # the sides are token ids: how rows associate says little where all rows share a small alphabet
    val_rows: int = 0
    val_beats_random: float = math.nan  # the same of validation rows, by what is learnt on training rows


@dataclass(frozen=True)
class BatchChange:
    """What a training step does to the batch it is given."""

    changed: list[str]  # parts of the batch, `inputs` or `targets`, that a second step changes again
    kept: bool  # the loader hands out the same tensors at every reading, so that the change stays
    by: str  # who changes it


@dataclass(frozen=True)
class ClassRecall:
    """How well the trained model finds each class; shares in [0, 1]."""

    recalls: dict[str, float]  # by label, on validation data, or on training data where there is none
    examples: dict[str, int]  # by label, that the recall was taken from
    train_accuracy: float
    val_accuracy: float  # NaN without validation data
    renamed_accuracy: float  # on validation data after the renaming of classes that fits best, found on its other half


@dataclass(frozen=True)
class EqualInputs:
    """Training examples with exactly the same input; shares in [0, 1] of the rows."""

    rows: int
    distinct: float  # share of different inputs
    repeated: float  # share of rows whose input occurs more than once
    conflicting: float  # share of rows whose input occurs under another label too; NaN without labels
    commonest: float  # share of rows that have exactly the commonest input
    bits: float  # of an input, by the values that occur in each place: inputs of few bits repeat by nature


@dataclass(frozen=True)
class ExchangedInputs:
    """Loss of the trained model for its own inputs, for other examples' inputs, and for noise.

    Each `gain` is how much of the loss with exchanged inputs the own inputs save, 0 at chance, and each `sigmas` the
    same in standard errors over the batches' halves.
    """

    rows: int
    train_gain: float
    train_sigmas: float
    val_gain: float  # NaN without validation data
    val_sigmas: float
    noise_gain: float  # of real training inputs over noise of the same shape; NaN for ids


@dataclass(frozen=True)
class NonfiniteExamples:
    """Share of examples with NaN or infinity, by part of the data, that the loss does not survive."""

    rows: int
    shares: dict[str, float]


@dataclass(frozen=True)
class InputDependence:
    """Whether targets can be predicted from inputs at all, by simple learners that have not seen them.

    A `skill` is the correlation of their guesses with the targets: 0 at chance, 1 at best.
    """

    rows: int
    skill: float  # on held-out training examples, of the learner that finds most in either part
    chance_spread: float  # standard deviation of `skill` over shuffled targets
    learner: str = "nearest neighbours"
    val_rows: int = 0
    val_skill: float = float("nan")  # on held-out validation examples, learnt from other validation examples
    val_spread: float = float("nan")  # its standard deviation over shuffled targets
    equal_skill: float = float("nan")  # on training examples, learnt from as few as the validation part has
    transfer_skill: float = float("nan")  # on validation examples, learnt from training examples
    share_ratio: float = 1.0  # of a class in one part over the other part, of the class where that is largest
    looseness: float = float("nan")  # distance of a training input to the nearest one, in units of validation inputs'


@dataclass(frozen=True)
class InputScale:
    """How large the inputs are where the first weights meet them."""

    size: float  # 90 % quantile of |value| of the largest feature
    smallness: float  # root mean square of the values that are not zero
    raw_size: float  # the same as `size`, as it comes from the loader
    normalized: bool  # a normalization layer follows the first weights


@dataclass(frozen=True)
class Labels:
    """Training labels, and what output and loss make of them."""

    counts: dict[str, int]  # by label; only those of whole examples
    masses: dict[str, float]  # count times weight in the loss, by label; empty where the loss cannot be asked
    classes: int  # that the output tells apart
    outside: list[str]  # labels outside the range of the output that the loss does not leave out
    inputs_are_ids: bool = False


@dataclass(frozen=True)
class OddBatch:
    """What the model makes of a batch of another size than it is used to."""

    rows: int
    usual_rows: int
    problem: str  # empty where there is none


@dataclass(frozen=True)
class Order:
    """How the targets follow one another while training reads them."""

    batches: int
    rows: int
    sameness: float  # share of the targets' spread that the batch explains, above chance: 0 mixed, 1 sorted
    missing_labels: int = 0  # labels that are common in the validation part and that no batch held


@dataclass(frozen=True)
class RepeatedReadings:
    """The training loader, read several times from one copy."""

    stored_changes: list[str]  # names of stored tensors that reading changed
    items_change: bool  # the same example, read with the same random state, comes out differently
    scales: list[float]  # (readings,) root mean square of the inputs
    centres: list[float]  # (readings,) mean of the inputs
    spreads: list[float]  # (readings,) standard deviation of the inputs


@dataclass(frozen=True)
class EpochContents:
    """One epoch of the training loader, as far as it was read."""

    rows: int
    distinct: int  # different examples, input and target
    distinct_inputs: int
    batches: int
    distinct_batches: int
    usual_repeats: int  # how often nearly every example occurs in the epoch; 0 where that differs
    bits: float  # of an input, by the values that occur in each place: inputs of few bits repeat by nature
    same_draws: bool = False  # two epochs draw the same examples of the data set in the same mixed order
    drawn_share: float = 1.0  # of the data set, that two epochs draw


@dataclass(frozen=True)
class Sides:
    """Which language or alphabet each side of a parallel corpus is written in."""

    rows: int
    swapped: float  # share of rows whose sides read the other way round
    separation: float  # share of words that belong to one side alone, once every row is turned the right way
    clarity: float = 0.0  # of the pairs of words: mean over spread of how far rows point one way; about 1.3 by chance


@dataclass(frozen=True)
class SplitDifference:
    """How validation inputs differ from training inputs, and whether the trained model minds."""

    scale_ratio: float  # spread of validation inputs in units of training inputs; NaN for ids
    shift: float  # difference of their means, in standard deviations of training; NaN for ids
    train_loss: float  # of the trained model
    val_loss: float
    changes: dict[str, float]  # validation loss after a change of its inputs, by what was changed


@dataclass(frozen=True)
class VocabularyUse:
    """Token ids of the validation part against those of training; shares in [0, 1] of all its tokens."""

    train_tokens: int
    val_tokens: int
    unseen: float  # tokens whose id never occurs in training
    surplus: float  # tokens of the one id that validation uses most beyond training
    surplus_in_training: float
    surplus_id: int
    frequency_correlation: float  # of the ids' log frequencies; NaN where training uses all about equally often
