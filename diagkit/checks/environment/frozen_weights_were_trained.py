"""Do frozen parts hold anything that was learnt?

## Why it matters
A checkpoint whose names do not match is skipped without a word (`strict=False`). The frozen part keeps its random
start, the head learns what little it can from random features, and the model is a little better than guessing.

## Threshold
The law of a new layer is not rejected with p < 0.01 (Kolmogorov-Smirnov, convention): uniform up to the very bound,
or normal with the very standard deviation, that an initialization uses for this shape. `MIN_RANDOM = 2` frozen
weights must look new, or all there are: one random projection among trained layers is a design.

## Cost
Looks at the values of frozen weights, at most 20,000 of each.

## Examples
PASS:

>>> from diagkit.evidence.environment import InitialTraces
>>> names = ["backbone.0.weight", "backbone.2.weight"]
>>> print(frozen_weights_were_trained(InitialTraces(names, [], True)))
PASS: frozen weights that look like a new layer's: 0 of 2

FAIL, the checkpoint's keys lack a prefix:

>>> print(frozen_weights_were_trained(InitialTraces(names, names, True, law="uniform within ±0.125")))
FAIL: frozen weights that look like a new layer's: 2 of 2 (backbone.0.weight is uniform within ±0.125)

PASS, one random layer that is declared as frozen is a random projection:

>>> print(frozen_weights_were_trained(InitialTraces(names[:1], names[:1], True, True, law="uniform within ±0.125")))
PASS: frozen weights that look like a new layer's: 1 of 1, a declared random projection

## Fix
Load with `strict=True`, or print `missing_keys` and `unexpected_keys` of what `load_state_dict` returns; usually a
prefix (`model.`, `module.`) is missing.

## Sources
- https://github.com/torchgeo/torchgeo/issues/4036
- PyTorch documentation of `nn.Linear` and `nn.Embedding`: their initial values
"""

from diagkit.evidence.environment import InitialTraces
from diagkit.finding import Finding, failed, passed

MIN_RANDOM = 2  # frozen weights; see "Threshold"

SPEAKS_FOR = ("weights_not_loaded",)


def frozen_weights_were_trained(initial_traces: InitialTraces, *, min_random: int = MIN_RANDOM) -> Finding:
    """Judge how many frozen weights look like those of a new layer."""
    random, frozen = initial_traces.random, initial_traces.frozen
    text = f"frozen weights that look like a new layer's: {len(random)} of {len(frozen)}"
    if not random or (len(random) < min_random and len(random) < len(frozen)):
        return passed(text)
    if initial_traces.expected and len(random) == 1:
        return passed(f"{text}, a declared random projection")
    finding = failed(f"{text} ({random[0]} is {initial_traces.law})")
    if initial_traces.excluded:
        return finding.means("weights_not_loaded")
    return finding.suggests("weights_not_loaded", unless=("frozen_parameters",))
