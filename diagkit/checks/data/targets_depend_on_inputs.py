"""Can the targets be predicted from the inputs at all?

## Why it matters
Where inputs that look alike have unrelated targets, either the labels were mixed up or the inputs lost what the
labels are about. No training repairs that.

## Threshold
The skill of simple learners (ridge regression, nearest neighbours, trees) is the correlation of their guesses with
targets they have not seen. `MIN_SKILL = 0.1` and `MIN_SIGMAS = 4` standard deviations of what shuffled targets reach:
less is no relation. Measured on 45 healthy programs (`benchmarks/healthy`): 0.16 to 1.00, except one whose relation
only its model finds; the same programs with shuffled training targets: -0.09 to 0.06, and up to 0.15 with 260 rows.

Nothing found is no verdict by itself. It is one where the validation targets can be predicted (`MIN_PROOF = 0.3`), or
where the trained model does no better on its own validation inputs than on exchanged ones (`MAX_GAIN = 0.02` of the
loss, or less than two standard errors).

## Cost
Up to a few seconds on 1,000 training examples; two forward passes over samples.

## Examples
>>> from diagkit.evidence.data import ExchangedInputs, InputDependence

PASS, handwritten digits:

>>> learnt = ExchangedInputs(2000, 0.97, 30, 0.95, 12, 0.9)
>>> print(targets_depend_on_inputs(InputDependence(1000, 0.78, 0.01, "ridge regression"), learnt))
PASS: skill of ridge regression on unseen training examples 0.78 >= 0.1 (chance 0.00 ± 0.01)

FAIL, the same digits with shuffled training labels:

>>> shuffled = InputDependence(1000, 0.01, 0.01, "ridge regression", 300, 0.72, 0.02, 0.03, 0.02)
>>> print(targets_depend_on_inputs(shuffled, ExchangedInputs(2000, 0.1, 5, -0.1, -2, 0.1)))
FAIL: skill of ridge regression on unseen training examples 0.01 < 0.1 (chance 0.00 ± 0.01); on validation examples 0.72

SKIP, where only the model finds the relation:

>>> print(targets_depend_on_inputs(InputDependence(1000, 0.01, 0.03), ExchangedInputs(2000, 0.3, 20, 0.25, 9, 0.3)))
SKIP: simple learners find no relation, but the trained model does: own inputs save 25 % of its validation loss

## Fix
Print ten inputs with their targets and read them. Then follow the pair from file to batch and look where the two
are ordered separately.

## Sources
- Cover and Hart, Nearest neighbor pattern classification (1967)
- Ojala and Garriga, Permutation tests for studying classifier performance (2010)
- Slavv, 37 reasons why your neural network is not working (2017): check whether inputs and labels belong together
"""

from dataclasses import replace

from diagkit.evidence.data import ExchangedInputs, InputDependence
from diagkit.finding import Finding, at_least, skipped

MIN_SKILL = 0.1  # correlation; see "Threshold"
MIN_SIGMAS = 4.0  # standard deviations of shuffled targets; convention
MIN_PROOF = 0.3  # correlation in the validation part that shows what training should have
MAX_GAIN = 0.02  # of the validation loss
MIN_GAIN_SIGMAS = 2.0  # standard errors; convention
MIN_MEMORY = 0.02  # of the training loss, saved by own inputs: the model learns, if only by heart
MAX_LOOSENESS = 1.5  # in units of validation; see `training_inputs_outweigh_their_noise`
MIN_PROOF_ROWS = 400  # convention: fewer rows may be too few for any model
MIN_ROWS = 150  # below, chance reaches the threshold

SPEAKS_FOR = ("misaligned_targets", "destroyed_inputs")
STOPPED = (  # faults that keep a model from using what the data has
    *("axis_mixup", "bad_initialization", "collapsed_output", "data_mutated", "dead_units", "detached_graph"),
    *("double_softmax", "endless_warmup", "excessive_regularization", "exploding_gradients", "frozen_parameters"),
    *("gradient_clipped_away", "gradient_scale", "inconsistent_preprocessing", "label_encoding"),
    *("learning_rate_too_high", "learning_rate_too_low", "loss_broadcasting", "low_precision", "mask_misaligned"),
    *("missing_optimizer_step", "missing_zero_grad", "nonfinite_inputs", "nonfinite_values", "output_range"),
    *("parameters_not_in_optimizer", "position_lost", "saturated_units", "schedule_decays_to_zero", "target_shift"),
    *("underfitting", "undertrained", "unnormalized_inputs", "vanishing_gradients", "weights_not_loaded"),
    *("wrong_loss", "wrong_sign", "wrong_softmax_dim", "zero_learning_rate"),
)


def targets_depend_on_inputs(
    input_dependence: InputDependence,
    exchanged_inputs: ExchangedInputs,
    *,
    min_skill: float = MIN_SKILL,
    min_proof: float = MIN_PROOF,
    max_gain: float = MAX_GAIN,
    min_memory: float = MIN_MEMORY,
    max_looseness: float = MAX_LOOSENESS,
) -> Finding:
    """Judge what simple learners predict, and where that is nothing, what the trained model makes of it."""
    its = input_dependence
    chance = max(min_skill, MIN_SIGMAS * its.chance_spread)
    finding = at_least(its.skill, chance, what=f"skill of {its.learner} on unseen training examples")
    finding = replace(finding, text=f"{finding.text} (chance 0.00 ± {its.chance_spread:.2f})")
    if finding:
        return finding
    if its.rows < MIN_ROWS:
        return skipped(f"{its.rows} examples are too few to tell a weak relation from none")
    if its.looseness > max_looseness:
        return skipped("training inputs lie much further apart than validation inputs: noise may hide the relation")
    if its.val_skill >= max(min_proof, MIN_SIGMAS * its.val_spread) and its.transfer_skill < its.val_skill / 2:
        text = f"{finding.text}; on validation examples {its.val_skill:.2f}"
        return replace(finding, text=text).means("misaligned_targets", "destroyed_inputs")
    gain = exchanged_inputs.val_gain
    if gain != gain:
        return skipped("simple learners find no relation, and there is no validation part to try the trained model on")
    if gain > max_gain and not exchanged_inputs.val_sigmas < MIN_GAIN_SIGMAS:
        share = f"own inputs save {gain:.0%} of its validation loss".replace("%", " %")
        return skipped(f"simple learners find no relation, but the trained model does: {share}")
    text = f"{finding.text}; the trained model does no better on its own validation inputs than on exchanged ones"
    finding = replace(finding, text=text)
    if exchanged_inputs.train_gain >= min_memory and its.rows >= MIN_PROOF_ROWS:  # it can learn, and learnt by heart
        return finding.means("misaligned_targets", "destroyed_inputs")
    return finding.suggests("misaligned_targets", "destroyed_inputs", unless=STOPPED)
