"""`data/sources_matter_to_their_targets`: edge cases, and its probe on small live objects."""

import torch

from diagkit.checks.data.sources_matter_to_their_targets import sources_matter_to_their_targets
from diagkit.checks.data.targets_match_inputs import targets_match_inputs
from diagkit.evidence.data import Alignment, ExchangedInputs
from diagkit.finding import Verdict
from diagkit.probes.alignment import alignment

IGNORED = ExchangedInputs(900, 0.01, 1.0, 0.0, 0.0, 0.0)
USED = ExchangedInputs(900, 0.9, 9.0, 0.8, 9.0, 0.0)


def test_ids_are_read_as_words() -> None:
    x = torch.randint(1, 40, (400, 6), generator=torch.Generator().manual_seed(0))
    own = alignment(train=[((x, x), (x * 7) % 41)], task="seq2seq")
    other = alignment(train=[((x, x), (x.roll(9, 0) * 7) % 41)], task="seq2seq")
    assert sources_matter_to_their_targets(own, IGNORED)
    assert targets_match_inputs(own)
    assert sources_matter_to_their_targets(other, IGNORED).faults == ("misaligned_targets",)
    assert targets_match_inputs(other).verdict is Verdict.SKIP


def test_words_few_rows_and_a_model_that_reads_its_source_are_not_judged() -> None:
    words = Alignment(1500, 0.5, 0.5, 0.0, 0.0, 0.0)
    few = Alignment(60, 0.5, 0.5, 0.0, 0.0, 0.0, True)
    order_only = Alignment(1500, 0.5, 0.5, 0.0, 0.0, 0.0, True)
    assert sources_matter_to_their_targets(words, IGNORED).verdict is Verdict.SKIP
    assert sources_matter_to_their_targets(few, IGNORED).verdict is Verdict.SKIP
    assert sources_matter_to_their_targets(order_only, USED).verdict is Verdict.SKIP
