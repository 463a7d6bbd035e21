"""Does the softmax run over the classes?

## Why it matters
Normalized over the batch, the examples compete with each other instead of the classes of one example: the loss still
falls a little, and the same example scores differently in another batch. Over a single output, a softmax is always 1.

## Threshold
None: outputs (or their exponentials) sum to 1 over another axis than the classes', and not over theirs. Or the loss
does not change when each class is shifted for the whole batch, but does when all classes of an example are shifted,
the reverse of a softmax over classes; `MAX_SHIFT = 1e-5` of the loss is rounding, `MIN_SHIFT = 1e-3` an effect. In 67
healthy programs the sums never agree by chance.

## Cost
One forward pass and a few calls of the loss on 32 examples.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import LossForm, OutputForm
>>> def outputs(axes, shape=(32, 8), activation="logsoftmax", constant=False):
...     return OutputForm(list(shape), [32], "ids", [1], activation, None, 0, [], axes, constant, 0.0)
>>> print(softmax_runs_over_classes(outputs([1]), LossForm(1, False, 1)))
PASS: outputs are normalized over the classes (axis 1)

FAIL, `LogSoftmax(dim=0)`:

>>> print(softmax_runs_over_classes(outputs([0]), LossForm(1, False, 1)))
FAIL: outputs of shape (32, 8) are normalized over axis 0, the batch; the classes stand along axis 1

FAIL, a softmax of one number:

>>> print(softmax_runs_over_classes(outputs([], (32, 1), "softmax", True), LossForm(1, False, 1)))
FAIL: a softmax runs over a single output, so every output is the same

## Fix
Name the class axis: `softmax(dim=1)` for `(batch, classes)`, `dim=-1` where classes stand last. For one output use a
sigmoid.

## Sources
- PyTorch documentation of Softmax: dim, a dimension along which it will be computed
"""

from diagkit.evidence.wrong_thing import LossForm, OutputForm
from diagkit.finding import Finding, failed, passed

MAX_SHIFT = 1e-5  # of the loss; see "Threshold"
MIN_SHIFT = 1e-3  # of the loss; see "Threshold"

SPEAKS_FOR = ("wrong_softmax_dim",)


def softmax_runs_over_classes(
    output_form: OutputForm, loss_form: LossForm, *, max_shift: float = MAX_SHIFT, min_shift: float = MIN_SHIFT
) -> Finding:
    """Compare the axes that are normalized with the one where the classes stand."""
    form = output_form
    summing = form.summing_axes or form.log_summing_axes
    classes = ", ".join(map(str, form.class_axes))
    if form.constant and form.activation in ("softmax", "logsoftmax") and 1 in form.output_shape[1:]:
        return failed("a softmax runs over a single output, so every output is the same").means("wrong_softmax_dim")
    if form.class_axes and summing and not set(summing) & set(form.class_axes):
        axis = summing[0]
        over = f"normalized over axis {axis}{', the batch' if axis == 0 else ''}"
        text = f"outputs of shape {tuple(form.output_shape)} are {over}; the classes stand along axis {classes}"
        return failed(text).means("wrong_softmax_dim")
    along, across = loss_form.class_shift, loss_form.batch_shift
    if form.targets == "ids" and along is not None and across is not None and across < max_shift and along > min_shift:
        text = "the loss ignores what one class gains in all examples, so it normalizes over the batch"
        return failed(text).means("wrong_softmax_dim")
    if summing and form.class_axes:
        return passed(f"outputs are normalized over the classes (axis {classes})")
    return passed("no softmax runs over another axis than the classes'")
