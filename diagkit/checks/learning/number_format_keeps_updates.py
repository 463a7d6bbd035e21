"""Does the number format keep what an update changes?

## Why it matters
A weight in bfloat16 has three digits: an update of less than a thousandth of it disappears. In float16 small gradients
are zero. And a time stamp of 1.7e9 seconds in single precision knows two minutes.

## Threshold
`MAX_LOST = 0.5` of the half-precision weights unmoved by three updates with a gradient, or of the gradients zero in
half precision only (conventions); `MAX_COARSE = 0.1` of an input's or target's standard deviation between two
neighbouring numbers (convention: beyond, a tenth of the spread is rounding). Measured: healthy programs 0 and at most
1e-5.

## Cost
Reads the data; three training steps on a copy where weights are in half precision.

## Examples
PASS:

>>> from diagkit.evidence.learning import NumberFormat
>>> print(number_format_keeps_updates(NumberFormat(["float32"], 0.0, 0.0, 1e-7, "input 0", "float32")))
PASS: float32 keeps updates, gradients and data

FAIL:

>>> print(number_format_keeps_updates(NumberFormat(["bfloat16"], 0.83, 0.0, 0.0, "", "")))
FAIL: share of weights in bfloat16 that no update moves 0.83 > 0.5

FAIL:

>>> print(number_format_keeps_updates(NumberFormat(["float32"], 0.0, 0.0, 1.4, "input 0", "float32")))
FAIL: rounding of input 0 in float32 1.4 > 0.1 of its standard deviation

## Fix
Keep the weights in float32 and compute in half precision (`torch.autocast`, with a `GradScaler` for float16). Subtract
the mean of large values in double precision first.

## Sources
- Micikevicius et al., Mixed precision training (2018): master weights in float32, loss scaling
"""

from diagkit.evidence.learning import NumberFormat
from diagkit.finding import Finding, at_most, passed

MAX_LOST = 0.5  # of the weights or gradients; see "Threshold"
MAX_COARSE = 0.1  # of a standard deviation

SPEAKS_FOR = ("low_precision",)


def number_format_keeps_updates(
    number_format: NumberFormat, *, max_lost: float = MAX_LOST, max_coarse: float = MAX_COARSE
) -> Finding:
    """Ask in turn for updates, gradients and data."""
    n = number_format
    formats = " and ".join(n.formats) or "the format"
    asked = (
        at_most(n.lost_updates, max_lost, what=f"share of weights in {formats} that no update moves"),
        at_most(n.lost_gradients, max_lost, what=f"share of gradients that are zero in {formats} only"),
        at_most(n.coarsest, max_coarse, what=f"rounding of {n.where} in {n.format}", unit="of its standard deviation"),
    )
    for finding in asked:
        if not finding:
            return finding.means("low_precision")
    return passed(f"{formats} keeps updates, gradients and data")
