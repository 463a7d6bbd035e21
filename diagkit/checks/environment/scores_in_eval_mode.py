"""Is the model in evaluation mode while it is scored?

## Why it matters
In train mode dropout removes parts of the model and batch norm uses the batch's own statistics: the score is that of
another, worse, random model.

## Threshold
None: one module in train mode is enough (`model.training` is False, published in the tutorial). There, evaluating the
control in train mode gives a loss of 0.268, 0.261, 0.261 where eval mode gives 0.097 each time. A model that gives the
same outputs in both modes has nothing to switch off.

## Cost
Watches the modes while at most 100 examples are evaluated, and compares one batch in both modes.

## Examples
PASS:

>>> from diagkit.evidence.environment import RepeatedEvaluation
>>> print(scores_in_eval_mode(RepeatedEvaluation([{"loss": 0.1}] * 3)))
PASS: every module is in eval mode while scoring

FAIL:

>>> print(scores_in_eval_mode(RepeatedEvaluation([{"loss": 0.1}] * 3, ["model", "head", "head.drop"])))
FAIL: 3 modules are in train mode while scoring (model, head, head.drop)

SKIP, there is no evaluation but ours:

>>> print(scores_in_eval_mode(RepeatedEvaluation([{"loss": 0.1}] * 3, by_author=False)))
SKIP: no evaluation of the author's is given

## Fix
Call `model.eval()` before scoring and `model.train()` after it.

## Sources
- The tutorial's evaluation mode check
- PyTorch documentation of `nn.Module.eval`
"""

from diagkit.evidence.environment import RepeatedEvaluation
from diagkit.finding import Finding, failed, passed, skipped

NAMES_SHOWN = 3

SPEAKS_FOR = ("evaluation_in_train_mode",)


def scores_in_eval_mode(repeated_evaluation: RepeatedEvaluation) -> Finding:
    """Name the modules that were in train mode."""
    if not repeated_evaluation.by_author:
        return skipped("no evaluation of the author's is given")
    names = repeated_evaluation.modules_in_training
    if not names:
        return passed("every module is in eval mode while scoring")
    if not repeated_evaluation.mode_matters:
        return passed("modules are in train mode while scoring, but the outputs are the same in both modes")
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    text = f"{len(names)} modules are in train mode while scoring ({', '.join(names[:NAMES_SHOWN])}{more})"
    return failed(text).means("evaluation_in_train_mode")
