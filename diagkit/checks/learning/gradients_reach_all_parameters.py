"""Does the gradient reach every parameter?

## Why it matters
A part that gets no gradient stays at its random start, and the rest learns around it: the loss still falls, only less
far.

## Threshold
None: one frozen or dead parameter tensor is enough. *Frozen* has `requires_grad` off, without being declared in
`expected_frozen` or looking as if trained or loaded before (values neither uniform nor normal); *dead* gets no gradient
or only zeros from any of eight batches, also after a small step (a layer behind a zero-initialized one is healthy),
although the loss changes when it is moved. A part that nothing depends on counts as neither.

## Cost
One to ten forward and backward passes of one batch.

## Examples
PASS:

>>> from diagkit.evidence.learning import GradientFlow
>>> print(gradients_reach_all_parameters(GradientFlow(["a.weight", "b.weight"], ["live", "live"], [0.1, 0.2])))
PASS: all 2 parameter tensors are live

FAIL, a frozen encoder:

>>> flow = GradientFlow(["encoder.0.weight", "encoder.0.bias", "head.weight"], ["frozen", "frozen", "live"], [0, 0, 1])
>>> print(gradients_reach_all_parameters(flow))
FAIL: 2 of 3 parameter tensors do not learn: 2 frozen (encoder.0.weight, encoder.0.bias)

PASS, a pre-trained one:

>>> flow = GradientFlow(["encoder.weight", "head.weight"], ["frozen", "live"], [0, 1], ["encoder.weight"])
>>> print(gradients_reach_all_parameters(flow))
PASS: 1 parameter tensors are live, 1 frozen on purpose

## Fix
Frozen: set `requires_grad_(True)`, or say that it is meant. Dead: look for `.detach()`, `.data`, `.item()` or a
`no_grad` block between this parameter and the loss, or for a part whose output is not used.

## Sources
- The tutorial's gradient check: frozen, dead, live
- CS231n, neural networks part 3: gradient checks
"""

from diagkit.evidence.learning import GradientFlow
from diagkit.finding import Finding, failed, passed

NAMES_SHOWN = 3

SPEAKS_FOR = ("frozen_parameters", "detached_graph")


def gradients_reach_all_parameters(gradient_flow: GradientFlow) -> Finding:
    """Count frozen and dead parameter tensors and name the first ones."""
    frozen = [name for name in gradient_flow.named("frozen") if name not in set(gradient_flow.prepared)]
    dead = gradient_flow.named("dead")
    total = len(gradient_flow.names)
    if not frozen and not dead:
        live, unused = len(gradient_flow.named("live")), len(gradient_flow.named("unused"))
        if live == total:
            return passed(f"all {total} parameter tensors are live")
        others = [f"{unused} unused"] * bool(unused) + [f"{total - live - unused} frozen on purpose"] * (
            total - live - unused > 0
        )
        return passed(f"{live} parameter tensors are live, {', '.join(others)}")
    parts = [f"{len(names)} {state} ({_some(names)})" for state, names in (("frozen", frozen), ("dead", dead)) if names]
    finding = failed(f"{len(frozen) + len(dead)} of {total} parameter tensors do not learn: {', '.join(parts)}")
    faults = (("frozen_parameters",) if frozen else ()) + (("detached_graph",) if dead else ())
    return finding.means(*faults)


def _some(names: list[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
