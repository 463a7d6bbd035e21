"""Does padding stay out of the outputs, and do real positions get in?

## Why it matters
A mask that is true where it should be false hides the text and shows the padding. The model runs, and guesses.

## Threshold
An attention that sends `MAX_ATTENTION = 0.99` of its weight to padding has its mask inverted; without a mask the
share is near the share of padding, with one it is 0 to 0.06 (six programs). So has a model whose real positions
move the output by less than `MIN_REAL = 1e-4` of what padding moves it. Where a mask is given and real values stand
behind it, they may move the output by `MAX_LEAK = 0.25` of what the others do. A model without any mask is not meant:
many read padding as zeros and do well.

## Cost
Three forward passes of 16 examples in eval mode.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import PaddingFlow
>>> print(padding_stays_out(PaddingFlow(16, 0.44, 0.0, 0.38, "", True, [0.0])))
PASS: padding moves the output by 0, real positions by 0.38 standard deviations

FAIL, `key_padding_mask=(ids != 0)`:

>>> print(padding_stays_out(PaddingFlow(16, 0.44, 0.37, 0.0, "", True, [1.0])))
FAIL: an attention sends 100 % of its weight to padding: its mask is inverted

## Fix
`key_padding_mask` of `MultiheadAttention` is true where a key is to be ignored; the boolean `attn_mask` of
`scaled_dot_product_attention` is true where it is to be seen.

## Sources
- PyTorch documentation of MultiheadAttention and scaled_dot_product_attention
"""

from diagkit.evidence.wrong_thing import PaddingFlow
from diagkit.finding import Finding, failed, passed

MAX_ATTENTION = 0.99  # share of the weight; see "Threshold"
MIN_REAL = 1e-4  # of the effect of padding; see "Threshold"
MAX_LEAK = 0.25  # of the effect of real positions; see "Threshold"

SPEAKS_FOR = ("mask_misaligned",)


def padding_stays_out(
    padding_flow: PaddingFlow,
    *,
    max_attention: float = MAX_ATTENTION,
    min_real: float = MIN_REAL,
    max_leak: float = MAX_LEAK,
) -> Finding:
    """Compare what padding and real positions do."""
    padded, real = padding_flow.padding_effect, padding_flow.real_effect
    attention = max(padding_flow.attention, default=0.0)
    moves = f"padding moves the output by {padded:.3g}, real positions by {real:.3g} standard deviations"
    if attention > max_attention:
        share = f"{attention:.0%}".replace("%", " %")
        text = f"an attention sends {share} of its weight to padding: its mask is inverted"
        return failed(text).means("mask_misaligned")
    if padded > 1e-3 and real < min_real * padded:
        return failed(f"{moves}: the mask hides what it should show").means("mask_misaligned")
    if padding_flow.told_by == "mask" and not padding_flow.blank and padded > max_leak * real:
        return failed(f"{moves}, although a mask is given").means("mask_misaligned")
    return passed(moves)
