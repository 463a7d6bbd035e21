"""Does the gradient reach every position that the outputs depend on?

## Why it matters
A state that is detached at every step still carries information forward, but what should be learnt about early
positions gets no gradient: the model never learns to remember.

## Threshold
None: one position is enough whose small change moves the outputs while its gradient is exactly zero, where other
positions have one.

## Cost
One backward pass of sixteen examples in double precision, and one forward pass for each position without a gradient.

## Examples
PASS:

>>> from diagkit.evidence.learning import GraphCut
>>> print(gradient_reaches_all_positions(GraphCut(12, 12, [])))
PASS: the gradient reaches all 12 of 12 positions that the outputs depend on

FAIL:

>>> print(gradient_reaches_all_positions(GraphCut(12, 12, [0, 1, 2, 3])))
FAIL: 4 of 12 positions that the outputs depend on get no gradient (the first: 0)

## Fix
Detach a carried state between sequences, not inside of one; keep tensors instead of `.item()`, `.data` or numpy.

## Sources
- CS231n, neural networks part 3: gradient checks
- Karpathy, A recipe for training neural networks (2019): use backprop to chart dependencies
"""

from diagkit.evidence.learning import GraphCut
from diagkit.finding import Finding, failed, passed

SPEAKS_FOR = ("detached_graph",)


def gradient_reaches_all_positions(graph_cut: GraphCut) -> Finding:
    """Count positions that only reach the outputs forward."""
    cut, reaching = graph_cut.cut, graph_cut.reaching
    if not cut:
        text = f"the gradient reaches all {reaching} of {graph_cut.positions} positions that the outputs depend on"
        return passed(text)
    text = f"{len(cut)} of {reaching} positions that the outputs depend on get no gradient (the first: {cut[0]})"
    return failed(text).means("detached_graph")
