"""Does the trained model give different answers to different inputs?

## Why it matters
A model that answers the same to everybody has found the mean of the targets and nothing else. It is a symptom: wrong
labels, a loss that cannot tell examples apart, a rate that killed it, inputs without information.

## Threshold
`MIN_SPREAD = 0.01`: the mean distance of an answer from the average answer (total variation, for numbers the standard
deviation over that of the targets). Measured: seven healthy
programs and the fixed variants of 34 cases 0.16 and more, collapsed ones 0 to 0.005.

## Cost
A forward pass of at most 512 validation examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import TrainedAnswers
>>> print(answers_follow_the_inputs(TrainedAnswers(400, 0.6)))
PASS: spread of the answers 0.6 >= 0.01

FAIL:

>>> print(answers_follow_the_inputs(TrainedAnswers(400, 0.002)))
FAIL: spread of the answers 0.002 < 0.01

## Fix
Overfit one batch. If that works, look at the data; if not, at loss, learning rate and initialization.

## Sources
- Karpathy, A recipe for training neural networks (2019): an input-independent baseline
"""

from diagkit.evidence.wrong_thing import TrainedAnswers
from diagkit.finding import Finding, at_least, skipped

MIN_SPREAD = 0.01  # total variation or share of a standard deviation; see "Threshold"

SPEAKS_FOR = ("collapsed_output",)
EXPLAINED_BY = (
    "misaligned_targets", "label_noise", "label_encoding", "unnormalized_inputs", "nonfinite_inputs",
    "destroyed_inputs", "noisy_inputs", "class_imbalance", "zero_learning_rate", "learning_rate_too_low",
    "learning_rate_too_high", "endless_warmup", "schedule_decays_to_zero", "frozen_parameters",
    "parameters_not_in_optimizer", "detached_graph", "missing_zero_grad", "missing_optimizer_step",
    "gradient_scale", "gradient_clipped_away", "wrong_sign", "bad_initialization", "vanishing_gradients",
    "exploding_gradients", "dead_units", "saturated_units", "nonfinite_values", "excessive_regularization",
    "low_precision", "underfitting", "undertrained", "double_softmax", "wrong_loss", "loss_broadcasting",
    "wrong_softmax_dim", "target_masked", "padding_in_loss", "mask_misaligned", "position_lost", "axis_mixup",
    "output_range", "data_mutated", "unshuffled_training", "repeated_batches",
)  # fmt: skip


def answers_follow_the_inputs(trained_answers: TrainedAnswers, *, min_spread: float = MIN_SPREAD) -> Finding:
    """Judge the spread of the answers over examples."""
    if trained_answers.spread is None:
        return skipped("answers cannot be compared with each other")
    finding = at_least(trained_answers.spread, min_spread, what="spread of the answers")
    return finding.suggests("collapsed_output", unless=EXPLAINED_BY)
