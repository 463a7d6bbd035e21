"""Does it matter to a target which source it belongs to?

## Why it matters
Sequences whose targets belong to other sources teach a model to write well and to ignore what it reads.

## Threshold
Two things together: the ids of a source say nothing about the ids of its target (own target preferred to a random one
in at most 0.5 plus `MIN_SIGMAS = 4` standard errors of the rows), and the trained model's loss on validation rises by
less than `MAX_GAIN = 0.02` when sources are exchanged. Measured on 14 healthy programs with sequences: association
0.57 to 1, gain 0.2 to 1.

## Cost
Counts pairs of ids; two forward passes of the trained model over a sample.

## Examples
>>> from diagkit.evidence.data import Alignment, ExchangedInputs

PASS:

>>> together, learnt = Alignment(1500, 0.99, 0.99, 1.0, 0.0, 0.0, True), ExchangedInputs(900, 0.9, 9, 0.9, 9, 0.9)
>>> print(sources_matter_to_their_targets(together, learnt))
PASS: own target beats a random one 0.99 >= 0.552 of rows (exchanged sources cost 90 % of the loss)

FAIL, shuffled targets:

>>> apart, ignored = Alignment(1500, 0.5, 0.5, 0.0, 0.0, 0.0, True), ExchangedInputs(900, 0.01, 2, 0.0, 0, 0.0)
>>> print(sources_matter_to_their_targets(apart, ignored))
FAIL: own target beats a random one 0.5 < 0.552 of rows (exchanged sources cost 0 % of the loss)

## Fix
Print ten sources with their targets and read them; shuffle pairs, never sides.

## Sources
- Church and Hanks, Word association norms, mutual information, and lexicography (1990)
- Slavv, 37 reasons why your neural network is not working (2017): random input
"""

from dataclasses import replace

from diagkit.checks.data.targets_depend_on_inputs import STOPPED
from diagkit.evidence.data import Alignment, ExchangedInputs
from diagkit.finding import Finding, at_least, skipped

MIN_SIGMAS = 4.0  # standard errors; convention
MAX_GAIN = 0.02  # of the loss; see "Threshold"
MIN_ROWS = 200  # convention

SPEAKS_FOR = ("misaligned_targets",)


def sources_matter_to_their_targets(
    alignment: Alignment,
    exchanged_inputs: ExchangedInputs,
    *,
    min_sigmas: float = MIN_SIGMAS,
    max_gain: float = MAX_GAIN,
) -> Finding:
    """Judge the association of ids, and where there is none, what the trained model makes of the source."""
    gain = exchanged_inputs.val_gain
    gain = exchanged_inputs.train_gain if gain != gain else gain
    if not alignment.ids or alignment.rows < MIN_ROWS or gain != gain:
        return skipped("there are not enough sequences of ids; words are asked about by targets_match_inputs")
    needed = 0.5 + min_sigmas * 0.5 / alignment.rows**0.5
    finding = at_least(alignment.beats_random, needed, what="own target beats a random one", unit="of rows")
    share = f"exchanged sources cost {gain:.0%} of the loss".replace("%", " %")
    finding = replace(finding, text=f"{finding.text} ({share})")
    if not finding and gain > max_gain:
        return skipped(f"association finds nothing, but {share}")
    return finding.suggests("misaligned_targets", unless=STOPPED)
