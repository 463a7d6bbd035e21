"""Does the model in evaluation mode give one answer?

## Why it matters
Dropout that is called as a function does not know that the model was switched to eval mode. Every score then comes from
another random part of the model: a little low, and different each time.

## Threshold
None: two passes of one batch are equal bit for bit, or they are not. A model that draws from a distribution which it
also returns (several outputs, as a variational autoencoder has) or that denoises its own input means to draw; it is
only told so.

## Cost
Three forward passes of one training batch, before any training.

## Examples
PASS:

>>> from diagkit.evidence.environment import RepeatedForward
>>> print(eval_mode_repeats(RepeatedForward([], False)))
PASS: two passes in eval mode are equal

FAIL, attention with dropout that never ends:

>>> print(eval_mode_repeats(RepeatedForward(["scaled_dot_product_attention"], True, "layers.0.attention")))
FAIL: two passes in eval mode differ, first in layers.0.attention (scaled_dot_product_attention draws)

PASS, a variational autoencoder:

>>> print(eval_mode_repeats(RepeatedForward(["randn_like"], True, "model", outputs=3)))
PASS: two passes in eval mode differ, since the model draws on purpose (randn_like)

## Fix
Hand the mode over, `F.dropout(x, p, training=self.training)` and `dropout_p=p if self.training else 0.0`, or use the
module (`nn.Dropout`) and keep it where `model.eval()` reaches it: as an attribute or in an `nn.ModuleList`.

## Sources
- https://github.com/coleygroup/ms-pred/issues/38
- PyTorch documentation of `scaled_dot_product_attention`, note on `dropout_p`
"""

from diagkit.evidence.environment import RepeatedForward
from diagkit.finding import Finding, failed, passed

SAMPLING = {"multinomial", "gumbel_softmax", "randint", "randint_like", "exponential_"}
NOISE = {"randn", "randn_like", "normal", "normal_"}

SPEAKS_FOR = ("evaluation_in_train_mode", "stochastic_decoding", "nondeterminism")


def eval_mode_repeats(repeated_forward: RepeatedForward) -> Finding:
    """Judge whether outputs differ, and by what was drawn what that means."""
    if not repeated_forward.differs:
        return passed("two passes in eval mode are equal")
    draws = set(repeated_forward.draws)
    drawn = ", ".join(repeated_forward.draws)
    if draws and draws <= NOISE and (repeated_forward.outputs > 1 or repeated_forward.reconstructs):
        return passed(f"two passes in eval mode differ, since the model draws on purpose ({drawn})")
    where = f"two passes in eval mode differ, first in {repeated_forward.module}"
    if not draws:
        return failed(f"{where}, outside of torch's random functions").suggests(
            "nondeterminism", unless=("evaluation_in_train_mode",)
        )
    sampled = bool(draws & SAMPLING)
    return failed(f"{where} ({drawn} draws)").means("stochastic_decoding" if sampled else "evaluation_in_train_mode")
