"""Does the order of the input words reach the output?

Two neighbouring words of a source are exchanged, and the model is asked for the same target again, word by word. A
model that reads the order changes its mind at some word; a bag of words cannot. Of all exchanges in a sentence the
strongest effect counts, since many words may change places without changing the translation. The same is done with
one word replaced by another: where not even that reaches the output, order is not the question to ask.

An effect is the total variation distance between two output distributions, half their L1 distance, 0 to 1.

Source: input dependency by perturbing the input, Karpathy's recipe (2019).
"""

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from diagkit.evidence.wrong_thing import WordOrder
from diagkit.examples import Batches
from diagkit.subject import NotGiven

MAX_SENTENCES = 64
QUANTILE = 0.9  # of the sentences' effects: order need not matter in most sentences, but in some


@torch.no_grad()
def word_order(trained_model: nn.Module, val: Iterable[Any], task: str) -> WordOrder:
    """Exchange and replace source words and measure how far the output distribution moves.

    Raises:
        NotGiven: the model does not take a source and a prompt of token ids.
    """
    if task != "seq2seq" or not isinstance(val, Batches) or val.examples.prompts is None or val.examples.pad is None:
        raise NotGiven("the order of words needs a source and a prompt (task seq2seq)")
    trained_model.eval()
    pad = val.examples.pad
    some = Batches(val.examples.take(torch.arange(min(MAX_SENTENCES, len(val.examples)))), val.size)
    exchanged, replaced = [], []
    for inputs, targets in some:
        source, prompt = inputs
        asked = targets != pad
        exchanged.append(_strongest(trained_model, source, _exchanges(source, pad), prompt, asked))
        replaced.append(_strongest(trained_model, source, _replacements(source, pad), prompt, asked))
    return WordOrder(
        sentences=len(some.examples),
        exchange_effect=float(torch.cat(exchanged).quantile(QUANTILE)),
        replacement_effect=float(torch.cat(replaced).quantile(QUANTILE)),
    )


def _strongest(model: nn.Module, source: Tensor, variants: Iterable[Tensor], prompt: Tensor, asked: Tensor) -> Tensor:
    """Return `(sentences,)`, the largest effect of any variant on any word asked for."""
    before = model(source, prompt).softmax(-1)
    effects = [torch.zeros(len(source), device=source.device)]
    for variant in variants:
        distance = (model(variant, prompt).softmax(-1) - before).abs().sum(-1) / 2
        effects.append((distance * asked).amax(1))
    return torch.stack(effects).amax(0)


def _exchanges(source: Tensor, pad: int) -> Iterator[Tensor]:
    """Yield the sources with the words at `i` and `i + 1` exchanged, where neither is padding."""
    for i in range(source.shape[1] - 1):
        variant = source.clone()
        both = source[:, i + 1] != pad
        variant[both, i], variant[both, i + 1] = source[both, i + 1], source[both, i]
        yield variant


def _replacements(source: Tensor, pad: int) -> Iterator[Tensor]:
    """Yield the sources with the word at `i` taken from the next sentence of the batch."""
    for i in range(source.shape[1]):
        variant = source.clone()
        other = source.roll(1, 0)[:, i]
        both = (source[:, i] != pad) & (other != pad)
        variant[both, i] = other[both]
        yield variant
