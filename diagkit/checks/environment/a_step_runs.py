"""Does a training step run at all on this machine?

## Why it matters
A step that raises answers no other question. What the message says often tells a bug of the model from an operator
that this device or number format lacks: the same code runs elsewhere.

## Threshold
None: the training ran, or raised.

## Cost
None; it is read off the training.

## Examples
PASS:

>>> from diagkit.evidence.environment import TrainingRun
>>> print(a_step_runs(TrainingRun(300, "")))
PASS: 300 steps ran

FAIL, an operator that is missing:

>>> print(a_step_runs(TrainingRun(0, "NotImplementedError: \\"cholesky_cpu\\" not implemented for 'Half'")))
FAIL: the training raised NotImplementedError: "cholesky_cpu" not implemented for 'Half'

## Fix
Read the last line of the traceback; for an operator that a device lacks, use another device, number format or operator.

## Sources
- The messages of PyTorch 2 itself
"""

import re

from diagkit.evidence.environment import TrainingRun
from diagkit.finding import Finding, failed, passed

MESSAGES = (
    (
        r"not (currently )?implemented for|from the '\w+' backend|on the same device|no kernel image",
        "device_disagreement",
    ),
    (r"Target -?\d+ is out of bounds|Class values must be|Assertion .*n_classes", "label_encoding"),
    (r"index out of range in self", "vocabulary_gap"),
    (r"Expected more than 1 value per channel", "batch_too_small"),
    (r"does not require grad and does not have a grad_fn", "detached_graph"),
    (r"must be the same as input size|Using a target size", "loss_broadcasting"),
    (r"optimizer got an empty parameter list", "parameters_not_in_optimizer"),
)

SPEAKS_FOR = tuple(fault for _, fault in MESSAGES)


def a_step_runs(training_run: TrainingRun) -> Finding:
    """Read what the training raised, if it did."""
    its = training_run
    if not its.error:
        return passed(f"{its.steps} steps ran")
    finding = failed(f"the training raised {its.error}")
    for pattern, fault in MESSAGES:
        if re.search(pattern, its.error):
            return finding.suggests(fault)
    return finding
