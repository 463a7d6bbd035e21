"""Does every kind of target get a gradient?

## Why it matters
`ignore_index` set to an id that is in use, or a padding id that is also the stop sign, takes those positions out of
the loss. The loss looks excellent; the class is never predicted, the decoder never stops.

## Threshold
A target id that the outputs have a score for gets no gradient at any position, stands between others (so it is no
padding), and is at least `MIN_SHARE = 1/3` as frequent as the other ids on average but at most `MAX_SHARE = 0.6` of
all (where most positions are left out, as in masked language models, it is meant). Or: a decoder's examples all end
in an ignored id, in different length, and have no common last id before it, so that stopping is not learned. Or the
last positions never get a gradient. Looked for in 67 healthy programs and 65 cases, found in the two faulty ones
only.

## Cost
One forward pass of 64 examples and one gradient of the loss with respect to the outputs.

## Examples
>>> from diagkit.evidence.wrong_thing import AskedPositions
>>> def asked(shares, asked, **more):
...     return AskedPositions(3, 900, "classification", shares, asked, list(shares), None, False, 0, None, 0, **more)

PASS:

>>> print(every_target_is_learned(asked({"0": 0.3, "1": 0.7}, {"0": 1.0, "1": 1.0})))
PASS: all 2 target ids get a gradient

FAIL, `ignore_index=0` where 0 is a class:

>>> print(every_target_is_learned(asked({"0": 0.3, "1": 0.3, "2": 0.4}, {"0": 0.0, "1": 1.0, "2": 1.0})))
FAIL: target id 0 never gets a gradient, 30 % of all targets

PASS, -100 is no class:

>>> print(every_target_is_learned(asked({"-100": 0.3, "1": 0.3, "2": 0.4}, {"-100": 0.0, "1": 1.0, "2": 1.0})))
PASS: all 2 target ids get a gradient

## Fix
Give padding an id of its own, or fill targets with -100 there, and ignore only that.

## Sources
- PyTorch documentation of CrossEntropyLoss: ignore_index specifies a target value that does not contribute to the
  gradient
- Karpathy, A recipe for training neural networks (2019): use backprop to chart dependencies"""

from collections.abc import Iterator

from diagkit.evidence.wrong_thing import AskedPositions
from diagkit.finding import Finding, failed, passed

MIN_SHARE = 1 / 3  # of the mean share of the other ids; see "Threshold"
MAX_SHARE = 0.6  # of all targets; see "Threshold"

SPEAKS_FOR = ("target_masked",)


def every_target_is_learned(
    asked_positions: AskedPositions, *, min_share: float = MIN_SHARE, max_share: float = MAX_SHARE
) -> Finding:
    """Look for targets that the loss leaves out."""
    for text in _left_out(asked_positions, min_share, max_share):
        return failed(text).means("target_masked")
    learned = sum(share > 0 for share in asked_positions.asked.values())
    return passed(f"all {learned} target ids get a gradient")


def _left_out(asked: AskedPositions, min_share: float, max_share: float) -> Iterator[str]:
    learned = [id_ for id_, share in asked.asked.items() if share > 0]
    if not learned or asked.loss_shift != 0:
        return
    usual = sum(asked.shares[id_] for id_ in learned) / len(learned)
    for id_ in asked.inside:
        share, known = asked.shares[id_], 0 <= int(id_) < asked.classes
        if known and asked.asked[id_] == 0 and id_ != asked.padding and min_share * usual <= share <= max_share:
            yield f"target id {id_} never gets a gradient, {share:.0%} of all targets".replace("%", " %")
    stop = asked.padding
    endless = asked.prompt and asked.shortest_end > 0 and not asked.common_end
    if endless and stop is not None and asked.asked[stop] == 0 and 0 <= int(stop) < asked.classes:
        yield f"every example ends in id {stop}, which never gets a gradient, so the decoder never learns to stop"
    if asked.silent_end:
        yield f"the last {asked.silent_end} positions of every example never get a gradient"
