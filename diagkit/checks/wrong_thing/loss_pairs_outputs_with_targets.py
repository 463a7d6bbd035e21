"""Does the loss compare each output with its own target?

## Why it matters
Shapes (B, 1) and (B,) broadcast to (B, B): every output is compared with every target of the batch. The best answer
is then the mean for everybody; the loss settles at the variance of the targets and nothing raises an error.

## Threshold
`MAX_PAIRING = 1e-5` of the loss is what rounding leaves when targets change places between examples; a loss that
pairs them changes by 0.001 to 1.3 (67 healthy programs). It fails where, besides, the loss does depend on the targets'
values (`MIN_TARGET = 1e-3`) and shapes differ, or the mean of the targets is a better answer than the targets
themselves: a loss that compares whole sets likes those best.

## Cost
Five calls of the loss on 32 made outputs and targets.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import LossForm, OutputForm
>>> def shapes(output, target):
...     return OutputForm(output, target, "numbers", [], "", None, None, [], [], False, 0.0)
>>> fitting = LossForm(1, False, 1, pairing_effect=0.4, target_effect=0.5)
>>> print(loss_pairs_outputs_with_targets(shapes([32, 1], [32, 1]), fitting))
PASS: exchanging targets changes the loss by 0.4 > 1e-05 of it

FAIL, `(32, 1)` against `(32,)`:

>>> blind = LossForm(1, False, 1, pairing_effect=0.0, target_effect=0.5)
>>> print(loss_pairs_outputs_with_targets(shapes([32, 1], [32]), blind))
FAIL: exchanging targets changes the loss by 0 <= 1e-05 of it: outputs (32, 1) and targets (32,) are all compared

SKIP:

>>> print(loss_pairs_outputs_with_targets(shapes([2, 1], [2]), LossForm(1, False, 1)))
SKIP: too few examples in a batch to exchange their targets

## Fix
Give outputs and targets one shape: `outputs.squeeze(1)` or `targets.unsqueeze(1)`.

## Sources
- PyTorch issue 16045: a regression that does not converge, cured by reshaping the target
- The reference's prime dimensions: silent broadcasting
"""

from dataclasses import replace

from diagkit.evidence.wrong_thing import LossForm, OutputForm
from diagkit.finding import Finding, Verdict, skipped

MAX_PAIRING = 1e-5  # of the loss; see "Threshold"
MIN_TARGET = 1e-3  # of the loss; see "Threshold"

SPEAKS_FOR = ("loss_broadcasting",)


def loss_pairs_outputs_with_targets(
    output_form: OutputForm, loss_form: LossForm, *, max_pairing: float = MAX_PAIRING, min_target: float = MIN_TARGET
) -> Finding:
    """Judge the effect of exchanging targets between examples."""
    effect, shapes = loss_form.pairing_effect, (tuple(output_form.output_shape), tuple(output_form.target_shape))
    if effect is None:
        return skipped("too few examples in a batch to exchange their targets")
    blind = effect <= max_pairing
    text = f"exchanging targets changes the loss by {effect:.3g} {'<=' if blind else '>'} {max_pairing:g} of it"
    compared = shapes[0] != shapes[1] or loss_form.mean_beats_truth
    wrong = blind and compared and not output_form.class_axes and (loss_form.target_effect or 0) > min_target
    if wrong:
        text += f": outputs {shapes[0]} and targets {shapes[1]} are all compared"
    finding = Finding(Verdict.FAIL if wrong else Verdict.PASS, text, effect, max_pairing)
    return replace(finding).means("loss_broadcasting")
