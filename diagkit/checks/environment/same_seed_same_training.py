"""Does the same seed give the same training?

## Why it matters
A bug that cannot be made to happen again can hardly be found, and two runs that differ by nothing can be mistaken for
an effect.

## Threshold
`MAX_DIFFERENCE = 1e-5` of the loss over five steps (convention: room for sums in another order, which some backends
take). Batches must be equal.

## Cost
Ten training steps on copies, and six batches of the loader.

## Examples
PASS:

>>> from diagkit.evidence.environment import RepeatedSteps
>>> print(same_seed_same_training(RepeatedSteps(2, [[2.30, 2.21], [2.30, 2.21]])))
PASS: losses of two runs from one seed differ by 0 <= 1e-05 of their size

FAIL, a generator seeded from the clock:

>>> print(same_seed_same_training(RepeatedSteps(2, [[2.30, 2.21], [2.34, 2.19]])))
FAIL: losses of two runs from one seed differ by 0.0171 > 1e-05 of their size

FAIL, a data set that draws from a generator without a seed:

>>> print(same_seed_same_training(RepeatedSteps(2, [[2.30], [2.30]], batches_repeat=False)))
FAIL: the loader gives other batches from the same seed

## Fix
Seed every generator that is used (`torch.manual_seed`, `np.random.default_rng(seed)`, `random.seed`), give the loader
a `generator` and a `worker_init_fn`, and call `torch.use_deterministic_algorithms(True)` once to find operations that
have no deterministic form.

## Sources
- PyTorch documentation, Reproducibility
"""

import math

from diagkit.evidence.environment import RepeatedSteps
from diagkit.finding import Finding, at_most, failed, skipped

MAX_DIFFERENCE = 1e-5  # of the loss; see "Threshold"

SPEAKS_FOR = ("nondeterminism",)


def same_seed_same_training(repeated_steps: RepeatedSteps, *, max_difference: float = MAX_DIFFERENCE) -> Finding:
    """Compare the two runs step by step."""
    if not repeated_steps.batches_repeat:
        return failed("the loader gives other batches from the same seed").means("nondeterminism")
    numbers = [(a, b) for a, b in zip(*repeated_steps.losses, strict=True) if math.isfinite(a) and math.isfinite(b)]
    if not numbers:
        return skipped("no loss is a number")
    worst = max(abs(a - b) / max(abs(a), abs(b), 1e-12) for a, b in numbers)
    what = "losses of two runs from one seed differ by"
    return at_most(worst, max_difference, what=what, unit="of their size").means("nondeterminism")
