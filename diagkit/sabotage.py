"""The breaks that no honest setting expresses: one short function each, named by a breakage.

A corruption takes the examples of a split and a seeded generator and returns them broken; the runner refuses one
that changed nothing. The functions of this module are the choices of `data.corruption`.
"""

import torch

from diagkit.examples import Examples


def shuffled_target(examples: Examples, generator: torch.Generator) -> Examples:
    """Give every input the target of another, randomly drawn example."""
    return examples.with_targets(torch.randperm(len(examples), generator=generator))
