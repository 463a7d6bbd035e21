"""Would another learning rate have got further?

## Why it matters
A rate that is far too low moves for the whole training and arrives nowhere; one that is far too high jumps out of every
valley. Both look like a model that cannot learn.

## Threshold
A trial of 60 steps, or a third of the run's, at a tenth, a hundredth, ten or a hundred times the rate must not get more
than `MAX_ADVANTAGE = 1.5` times as far as the whole run, counted by the fall of the training loss, where it falls by at
least `MIN_FALL = 0.1` of the untrained loss (convention). A run that halves its loss passes unasked. Measured on 67
healthy programs: at most 0.99.

## Cost
Nothing for a run that went well; otherwise 240 training steps on copies, at most 30 seconds.

## Examples
PASS:

>>> from diagkit.evidence.learning import RateTrial
>>> print(rate_suits_the_task(RateTrial(60, 900, 2.3, 1.3, [0.1, 10.0], [2.2, 1.5])))
PASS: fall of the loss in 60 steps at another rate 0.8 <= 1.5 times that of the run

FAIL, far too low:

>>> print(rate_suits_the_task(RateTrial(60, 900, 2.3, 2.28, [0.1, 10.0], [2.3, 1.5])))
FAIL: fall of the loss in 60 steps at 10 times the rate 40 > 1.5 times that of the run (2.3 to 1.5, the run 2.28)

FAIL, far too high:

>>> print(rate_suits_the_task(RateTrial(60, 900, 2.3, 2.5, [0.1, 10.0], [1.1, 80.0])))
FAIL: fall of the loss in 60 steps at 0.1 times the rate inf > 1.5 times that of the run (2.3 to 1.1, the run 2.5)

## Fix
Change the rate by factors of ten until the first hundred steps bring the loss down steadily; 1e-3 is usual for Adam,
0.01 to 0.1 for SGD with momentum.

## Sources
- CS231n, neural networks part 3: learning rates too low, too high, good
- Karpathy, neural networks zero to hero, lecture 4: update-to-data ratio near 1e-3
"""

import math
from dataclasses import replace

from diagkit.evidence.learning import RateTrial
from diagkit.finding import Finding, at_most

MAX_ADVANTAGE = 1.5  # times the run's fall; see "Threshold"
MIN_FALL = 0.1  # of the untrained loss

SPEAKS_FOR = ("learning_rate_too_low", "learning_rate_too_high")
EXPLAINED_BY = (
    "unnormalized_inputs",
    "nonfinite_inputs",
    "destroyed_inputs",
    "misaligned_targets",
    "label_noise",
    "label_encoding",
    "data_mutated",
    "zero_learning_rate",
    "endless_warmup",
    "schedule_decays_to_zero",
    "frozen_parameters",
    "parameters_not_in_optimizer",
    "detached_graph",
    "missing_zero_grad",
    "missing_optimizer_step",
    "gradient_scale",
    "gradient_clipped_away",
    "wrong_sign",
    "bad_initialization",
    "vanishing_gradients",
    "excessive_regularization",
    "low_precision",
    "batch_too_small",
    "double_softmax",
    "wrong_loss",
    "wrong_softmax_dim",
    "loss_broadcasting",
    "output_range",
    "axis_mixup",
    "mask_misaligned",
    "training_in_eval_mode",
    "weights_not_loaded",
    "nonfinite_values",
    "dead_units",
    "exploding_gradients",
    "noisy_inputs",
    "overlapping_classes",
    "unshuffled_training",
    "repeated_batches",
    "target_masked",
    "padding_in_loss",
    "target_shift",
    "position_lost",
    "stale_normalization",
)


def rate_suits_the_task(
    rate_trial: RateTrial, *, max_advantage: float = MAX_ADVANTAGE, min_fall: float = MIN_FALL
) -> Finding:
    """Compare how far the loss fell in the run with the best trial at another rate."""
    best = max(rate_trial.gain(larger=True), rate_trial.gain(larger=False))
    fall = rate_trial.untrained - rate_trial.trained
    if best < min_fall * abs(rate_trial.untrained):
        best = 0.0
    advantage = best / fall if fall > 0 else math.inf if best > 0 else 0.0
    what = f"fall of the loss in {rate_trial.steps} steps at"
    finding = at_most(advantage, max_advantage, what=f"{what} another rate", unit="times that of the run")
    if finding:
        return finding
    where = next(i for i, its in enumerate(rate_trial.losses) if rate_trial.untrained - its == best)
    factor, loss = rate_trial.factors[where], rate_trial.losses[where]
    finding = at_most(advantage, max_advantage, what=f"{what} {factor:g} times the rate", unit="times that of the run")
    figures = f"({rate_trial.untrained:.3g} to {loss:.3g}, the run {rate_trial.trained:.3g})"
    fault = "learning_rate_too_low" if factor > 1 else "learning_rate_too_high"
    return replace(finding, text=f"{finding.text} {figures}").suggests(fault, unless=EXPLAINED_BY)
