"""The breaks that no honest setting expresses: one short function each, named by a breakage.

A corruption takes the examples of a split and a seeded generator and returns them broken; the runner refuses one
that changed nothing. The functions of this module are the choices of `data.corruption`.
"""

import torch

from diagkit.examples import Examples
from diagkit.mistake import DoesNotApply


def shuffled_target(examples: Examples, generator: torch.Generator) -> Examples:
    """Give every input the target of another, randomly drawn example."""
    return examples.with_targets(torch.randperm(len(examples), generator=generator))


def swapped_half(examples: Examples, generator: torch.Generator) -> Examples:
    """Exchange source and target in a randomly drawn half of the sentence pairs.

    Raises:
        DoesNotApply: the examples are no pairs of sequences.
    """
    if examples.prompts is None:
        raise DoesNotApply("data.corruption=swapped_half exchanges the sides of sentence pairs, and here are none")
    return examples.with_sides_exchanged(torch.randperm(len(examples), generator=generator)[: len(examples) // 2])
