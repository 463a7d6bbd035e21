"""Do running statistics of normalization layers follow the data?

## Why it matters
Training normalizes by the statistics of the batch, evaluation by what the layer remembers. Where the two differ, the
model that is scored is not the one that was trained: the training loss looks fine and every score is bad.

## Threshold
A layer is stale where its mean is off by more than `MAX_SHIFT = 0.5` standard deviations, or its variance by more
than a factor of `MAX_FACTOR = 2`, in half of its channels. And it must hurt: the loss of training batches in eval
mode is above that with the statistics of the batches by more than `MAX_HARM = 0.1` of what the training gained.

## Cost
At most 60 forward passes of training batches.

## Examples
PASS:

>>> from diagkit.evidence.environment import NormalizationStatistics
>>> print(running_statistics_follow_the_data(NormalizationStatistics(["norm"], [0.02], [0.05], 0.11, 0.10, 2.30)))
PASS: running statistics cost 0.00455 <= 0.1 of what training gained (loss 0.11, with the batches' own 0.1)

FAIL, a momentum of zero:

>>> stale = NormalizationStatistics(["norm1", "norm2"], [0.9, 2.4], [3.1, 1.2], 1.9, 0.10, 2.30)
>>> print(running_statistics_follow_the_data(stale))
FAIL: running statistics cost 0.818 > 0.1 of what training gained (loss 1.9, with the batches' own 0.1; norm1 is off \
by 0.9 standard deviations and a factor of 22 in variance)

SKIP, what differs are not the statistics:

>>> print(running_statistics_follow_the_data(NormalizationStatistics(["norm"], [0.02], [0.05], 1.9, 0.10, 2.30)))
SKIP: eval mode costs 0.818 of what training gained, but the running statistics are those of the data

## Fix
Use the default momentum 0.1 (PyTorch's is the weight of the new batch, 1 - TensorFlow's), keep the layer in train mode
while training, and take enough steps: 50 forget the start. `torch.optim.swa_utils.update_bn` recomputes the statistics.

## Sources
- Ioffe and Szegedy, Batch normalization (2015), section 3.1
- PyTorch documentation of `nn.BatchNorm1d`, note on momentum
"""

import math
from dataclasses import replace

from diagkit.evidence.environment import NormalizationStatistics
from diagkit.finding import Finding, at_most, passed, skipped

MAX_SHIFT = 0.5  # standard deviations; see "Threshold"
MAX_FACTOR = 2.0  # of the variance; see "Threshold"
MAX_HARM = 0.1  # of what training gained; see "Threshold"

SPEAKS_FOR = ("stale_normalization",)


def running_statistics_follow_the_data(
    normalization_statistics: NormalizationStatistics,
    *,
    max_shift: float = MAX_SHIFT,
    max_factor: float = MAX_FACTOR,
    max_harm: float = MAX_HARM,
) -> Finding:
    """Judge what the running statistics cost, and name the first stale layer."""
    its = normalization_statistics
    running, batch = its.loss_with_running, its.loss_with_batch
    if math.isnan(running) or math.isnan(batch):
        return skipped("the loss is NaN, so nothing can be compared")
    gained = max(its.loss_untrained - batch, abs(batch) * 1e-3, 1e-12)
    stale = [
        f"{name} is off by {shift:.2g} standard deviations and a factor of {math.exp(scale):.2g} in variance"
        for name, shift, scale in zip(its.layers, its.shifts, its.scales, strict=True)
        if shift > max_shift or scale > math.log(max_factor)
    ]
    harm = at_most((running - batch) / gained, max_harm, what="running statistics cost", unit="of what training gained")
    losses = f"loss {running:.3g}, with the batches' own {batch:.3g}"
    if harm:
        return passed(f"{harm.text} ({losses})")
    if not stale:
        cost = f"eval mode costs {harm.value:.3g} of what training gained"
        return skipped(f"{cost}, but the running statistics are those of the data")
    return replace(harm, text=f"{harm.text} ({losses}; {stale[0]})").means("stale_normalization")
