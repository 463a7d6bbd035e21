"""Evidence for the third question: is it learning the wrong thing?"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class WordOrder:
    """How strongly the output follows the source, total variation distance in [0, 1], 90 % quantile over sentences."""

    sentences: int
    exchange_effect: float  # of exchanging two neighbouring words
    replacement_effect: float  # of replacing one word by another


@dataclass(frozen=True)
class OutputForm:
    """What the untrained model gives in eval mode, beside its targets."""

    output_shape: list[int]
    target_shape: list[int]
    targets: str  # ids, zeros and ones, shares (nonnegative, sum to 1), numbers, other
    class_axes: list[int]  # of the output, along which the classes of `targets` can stand
    activation: str  # the last operation: sigmoid, softmax, ...; empty where it is none that limits or is not known
    low: float | None  # what the activation can reach; None without limit
    high: float | None
    summing_axes: list[int]  # along which the outputs are nonnegative and sum to 1
    log_summing_axes: list[int]  # along which their exponentials do
    constant: bool  # all outputs are one number
    beyond: float  # share of targets that the activation cannot reach; 0 for ids


@dataclass(frozen=True)
class LossForm:
    """How the loss function behaves on outputs made for the purpose; None where it gives no number there."""

    elements: int  # of what it returns; 1 is a scalar
    own_step: bool  # the caller's own step may still reduce it
    parts: int  # tensors that the model gives
    pairing_effect: float | None = None  # relative change when targets are exchanged between examples
    target_effect: float | None = None  # relative change when targets are replaced by other values
    mean_beats_truth: bool = False  # outputs that are the mean of the targets cost less than the targets themselves
    class_shift: float | None = None  # relative change when a number is added to all classes of an example
    batch_shift: float | None = None  # relative change when a number is added to one class of all examples
    slopes: list[float] = field(default_factory=list)  # (4,) per unit, of adding -20, -10, 10, 20 to all outputs
    descent: list[float] = field(default_factory=list)  # (3,) loss of right outputs of size 50, 100, 200
    in_reach: float | None = None  # loss of the best outputs that the last activation reaches
    free: float | None = None  # loss of the best outputs without that limit
    floor: float | None = None  # loss of right outputs of 50 and more, where it no longer changes
    ceiling: float | None = None  # the same for wrong outputs
    normalized_ratio: float | None = None  # floor / ceiling of a loss on scores that is given shares instead
    chance: float | None = None  # loss of outputs that are all the same
    ids_as_numbers: bool = False  # lowest where one output per example equals its class id
    logs_expected: bool = False  # of equal outputs, those at the logarithm of the targets' mean cost least


@dataclass(frozen=True)
class AskedPositions:
    """What the loss asks of every output, read from its gradient with respect to the outputs."""

    classes: int  # that the model can tell apart
    positions: int
    task: str
    shares: dict[str, float]  # by target id, its share of all targets
    asked: dict[str, float]  # by target id, the share of its positions that get a gradient
    inside: list[str]  # target ids that stand between others, not only at the ends of rows
    place: int | None  # by how many places later the targets stand in the inputs; None where they do not
    prompt: bool  # they stand in an input beside the first
    loss_shift: int  # by how many places later the target stands that an output is compared with
    val_place: int | None  # as `place`, of the validation batches
    silent_end: int  # last positions that never get a gradient though their targets do elsewhere
    padding: str | None = None  # target id that rows of different length end in
    padded_inputs: bool = False  # inputs are one value where targets are padding
    shortest_end: int = 0  # paddings at the end of the row that has the fewest
    common_end: bool = False  # rows that end in padding have one last id before it


@dataclass(frozen=True)
class FutureSight:
    """How far inputs that hold the targets to come move the outputs, in standard deviations of the outputs."""

    positions: int
    ahead: int  # places between an output and the input that it must predict
    future_effect: float  # of changing inputs from there on
    present_effect: float  # of changing inputs before


@dataclass(frozen=True)
class TargetOffsets:
    """How many positions targets stand after the inputs that tell most about them."""

    train_offset: int
    val_offset: int
    train_gain: float  # what the best offset tells, over what the validation batches' offset tells, in training; >= 1
    val_gain: float  # the reverse


@dataclass(frozen=True)
class BatchMixing:
    """How far an example's output moves when its batch mates are exchanged, in standard deviations of the outputs."""

    rows: int
    contents: float  # effect of other contents in the mates, with their lengths and masks as they are
    everything: float  # effect of other mates altogether
    own: float  # effect of exchanging the example itself
    softmax_over_batch: bool  # a softmax inside the model runs along the batch
    time_first: bool  # the first axis is time: examples stand along the second, and do not see each other


@dataclass(frozen=True)
class PaddingFlow:
    """What padded positions do to the outputs, in standard deviations of the outputs."""

    rows: int  # with both padding and real positions
    share: float  # of positions that are padding
    padding_effect: float  # of disturbing what stands at padded positions
    real_effect: float  # of disturbing what stands at real positions
    told_by: str  # lengths or mask, where the model is given them; else empty
    blank: bool  # padded positions hold one value
    attention: list[float]  # of every attention over these positions, the share that goes to padding


@dataclass(frozen=True)
class ImageLayout:
    """Correlation of neighbouring pixels as given and read as if colour stood last, in [-1, 1]."""

    images: int
    given: float  # mean over both directions
    colour_last: float
    given_down: float  # in the direction of height
    colour_last_down: float
    smoother_last: float  # share of the images that are smoother with colour last


@dataclass(frozen=True)
class OrderFlow:
    """Whether the order of inputs reaches the outputs of the untrained model, and whether order tells anything."""

    task: str
    order_effect: float  # of shuffling positions, in standard deviations of the outputs
    content_effect: float  # of other contents at these positions
    with_order: float | None = None  # share of validation labels that counts of ordered tokens get right
    without_order: float | None = None  # the same for unordered tokens
    labels: int = 0  # validation labels these shares are of


@dataclass(frozen=True)
class TrainedAnswers:
    """What the trained model answers on validation examples."""

    answers: int
    spread: float | None  # of answers over examples: total variation, or standard deviation over that of the targets
    places: dict[str, float] = field(default_factory=dict)  # share of answers that agree with the target so much later
    expected: int = 0  # the shift at which they should
    in_inputs: bool = False  # targets stand among the inputs, so that earlier ones can be copied
    copied: float | None = None  # how often (ids), or how nearly (numbers: 1 is exactly), answers repeat the source
    copied_by_target: float | None = None  # the same of the targets
