"""Does the model that is scored have the weights that were trained?

## Why it matters
A checkpoint that is read with `strict=False`, or under names that changed, leaves part of a model as it was
initialized: nothing raises, and the score is that of half a model.

## Threshold
None: every tensor has its trained values, or not.

## Cost
Compares all weights once.

## Examples
PASS:

>>> from diagkit.evidence.environment import LoadedWeights
>>> print(scores_the_trained_weights(LoadedWeights(8, [], 0)))
PASS: all 8 tensors of the scored model have their trained values

FAIL, the encoder was never loaded:

>>> print(scores_the_trained_weights(LoadedWeights(8, ["encoder.0.weight", "encoder.0.bias"], 2)))
FAIL: 2 of 8 tensors of the scored model are not the trained ones, 2 have their initial values (encoder.0.weight, ...)

## Fix
Load with `strict=True`, and read what `load_state_dict` returns.

## Sources
- PyTorch documentation of `nn.Module.load_state_dict`: missing and unexpected keys
"""

from diagkit.evidence.environment import LoadedWeights
from diagkit.finding import Finding, failed, passed

SPEAKS_FOR = ("weights_not_loaded",)


def scores_the_trained_weights(loaded_weights: LoadedWeights) -> Finding:
    """Count the tensors that differ."""
    its = loaded_weights
    if not its.different:
        return passed(f"all {its.tensors} tensors of the scored model have their trained values")
    names = its.different[0] + (", ..." if len(its.different) > 1 else "")
    return failed(
        f"{len(its.different)} of {its.tensors} tensors of the scored model are not the trained ones, "
        f"{its.initial} have their initial values ({names})"
    ).means("weights_not_loaded")
