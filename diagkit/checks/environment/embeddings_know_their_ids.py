"""Do frozen embeddings know the ids that they are given?

## Why it matters
Vectors that were learnt elsewhere belong to the numbering that they were learnt with. Where the vocabulary is built
anew, from another file or in another order, each word gets another word's vector, and nothing raises.

## Threshold
`MIN_AGREEMENT = 3` standard deviations over shuffled rows: how alike two rows are goes with how alike the company of
their ids is (other ids in the same example, and targets). It is only asked where the company itself repeats between
halves of the data, `MIN_RELIABILITY = 0.3`. Both are conventions. An embedding that learns cannot be asked: a new one
knows nothing either.

## Cost
A hundred correlations over at most 300 ids.

## Examples
PASS:

>>> from diagkit.evidence.environment import EmbeddingOrder
>>> print(embeddings_know_their_ids(EmbeddingOrder("words", 150, 0.8, 21.0, 1, 0.4, False)))
PASS: rows of words agree with what 150 ids go with by 21 >= 3 standard deviations

FAIL, two special ids were put in front:

>>> print(embeddings_know_their_ids(EmbeddingOrder("words", 150, 0.8, 0.3, -2, 19.0, False)))
FAIL: rows of words agree with what 150 ids go with by 0.3 < 3 standard deviations, but by 19 with ids shifted by -2

SKIP, the data say too little about their ids:

>>> print(embeddings_know_their_ids(EmbeddingOrder("words", 150, 0.05, 0.3, -2, 1.0, False)))
SKIP: what ids go with differs between halves of the data (correlation 0.05), so rows cannot be compared

## Fix
Save the vocabulary with the vectors and load both; never build it a second time.

## Sources
- Mantel, The detection of disease clustering and a generalized regression approach (1967)
"""

from dataclasses import replace

from diagkit.evidence.environment import EmbeddingOrder
from diagkit.finding import Finding, at_least, skipped

MIN_AGREEMENT = 3.0  # standard deviations over shuffled rows; see "Threshold"
MIN_RELIABILITY = 0.3  # correlation; see "Threshold"

SPEAKS_FOR = ("vocabulary_rebuilt", "weights_not_loaded")


def embeddings_know_their_ids(
    embedding_order: EmbeddingOrder,
    *,
    min_agreement: float = MIN_AGREEMENT,
    min_reliability: float = MIN_RELIABILITY,
) -> Finding:
    """Judge how the rows agree with the company of their ids."""
    its = embedding_order
    if not its.reliability >= min_reliability:
        differs = f"what ids go with differs between halves of the data (correlation {its.reliability:.2f})"
        return skipped(f"{differs}, so rows cannot be compared")
    what = f"rows of {its.module} agree with what {its.ids} ids go with by"
    finding = at_least(its.agreement, min_agreement, what=what, unit="standard deviations")
    if finding:
        return finding
    if its.shifted_agreement >= 2 * min_agreement:
        text = f"{finding.text}, but by {its.shifted_agreement:.3g} with ids shifted by {its.best_shift}"
        return replace(finding, text=text).means("vocabulary_rebuilt")
    return finding.means(*SPEAKS_FOR) if its.looks_new else finding.means("vocabulary_rebuilt")
