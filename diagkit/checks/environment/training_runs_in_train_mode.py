"""Are dropout and batch statistics on while the model trains?

## Why it matters
In eval mode batch norm normalizes by running statistics that nobody updates, and dropout does nothing: the
regularization that the model was built with is missing, and statistics stay at their start.

## Threshold
None: one such module in eval mode during a training step is enough, unless the part it belongs to is frozen or its
statistics come from an earlier training.

## Cost
One training step on a copy of the model.

## Examples
PASS:

>>> from diagkit.evidence.environment import TrainingModes
>>> print(training_runs_in_train_mode(TrainingModes(4, [])))
PASS: all 4 dropout and normalization modules are in train mode while training

FAIL, `model.eval()` was called once and never taken back:

>>> print(training_runs_in_train_mode(TrainingModes(4, ["norm1", "drop1", "norm2", "drop2"])))
FAIL: 4 of 4 dropout and normalization modules are in eval mode while training (norm1, drop1, norm2 and 1 more)

SKIP, all modules that would matter are frozen:

>>> print(training_runs_in_train_mode(TrainingModes(0, [])))
SKIP: no dropout or normalization that should learn was called

## Fix
Call `model.train()` at the start of every epoch, after each evaluation.

## Sources
- PyTorch documentation of `nn.Module.train`
"""

from diagkit.evidence.environment import TrainingModes
from diagkit.finding import Finding, failed, passed, skipped

NAMES_SHOWN = 3

SPEAKS_FOR = ("training_in_eval_mode",)


def training_runs_in_train_mode(training_modes: TrainingModes) -> Finding:
    """Name the modules that were in eval mode."""
    names, watched = training_modes.in_eval, training_modes.watched
    if not watched:
        return skipped("no dropout or normalization that should learn was called")
    if not names:
        return passed(f"all {watched} dropout and normalization modules are in train mode while training")
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    some = f"{', '.join(names[:NAMES_SHOWN])}{more}"
    text = f"{len(names)} of {watched} dropout and normalization modules are in eval mode while training ({some})"
    return failed(text).means("training_in_eval_mode")
