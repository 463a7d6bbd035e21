"""Decoding: from a translator's probabilities to sentences, and their BLEU.

A hypothesis is scored by its log-probability, without normalization by length: the score then means one thing, the
model's own probability of the sentence, and more words can only lower it. So the search may stop as soon as a
finished hypothesis leads, and a beam that nothing falls out of finds the most probable sentence.
"""

from typing import Protocol

import torch
from torch import Tensor

from diagkit.examples import Examples, Splits
from diagkit.mistake import Mistake
from diagkit.score import Score, bleu_statistics
from diagkit.tasks.transformer import Memory, Translator
from diagkit.tasks.translation import END, PAD, START


class Prefixes(Protocol):
    """Rows of words, one hypothesis each, and the sources that they translate."""

    def step(self, words: Tensor) -> Tensor:
        """Append one word to every row, ids `(rows,)`, and return logits `(rows, words)` for the next."""
        ...

    def take(self, rows: Tensor) -> None:
        """Go on with the rows at these indices."""
        ...


class Cached:
    """Keys and values of source and prefix are kept, so that a step computes one position."""

    def __init__(self, model: Translator, source: Tensor) -> None:
        self.model = model
        memory, self.mask = model.encode(source)
        self.source = model.decoder.read(memory)
        self.past: list[Memory | None] = [None] * len(self.source)

    def step(self, words: Tensor) -> Tensor:
        logits, past = self.model.step(words, self.past, self.source, self.mask)
        self.past = [*past]
        return logits

    def take(self, rows: Tensor) -> None:
        self.source = [(key[rows], value[rows]) for key, value in self.source]
        self.past = [layer and (layer[0][rows], layer[1][rows]) for layer in self.past]
        self.mask = None if self.mask is None else self.mask[rows]


class Recomputed:
    """Every step computes the whole prefix: without a causal mask, a new word changes what was before it."""

    def __init__(self, model: Translator, source: Tensor) -> None:
        self.model = model
        self.memory, self.mask = model.encode(source)
        self.ids = source.new_empty((len(source), 0))

    def step(self, words: Tensor) -> Tensor:
        self.ids = torch.cat([self.ids, words[:, None]], dim=1)
        return self.model.decode(self.ids, self.memory, self.mask)[:, -1]

    def take(self, rows: Tensor) -> None:
        self.ids, self.memory = self.ids[rows], self.memory[rows]
        self.mask = None if self.mask is None else self.mask[rows]


def prefixes(model: Translator, source: Tensor) -> Prefixes:
    """Return one empty prefix for every source, ids `(batch, length)`."""
    return Cached(model, source) if model.causal else Recomputed(model, source)


@torch.no_grad()
def greedy(model: Translator, source: Tensor, sampling: bool = False) -> Tensor:
    """Translate word by word, always taking the most likely.

    Args:
        source: ids `(batch, length)`.
        sampling: draw each word from the model's distribution instead, by torch's own generator.

    Returns:
        Ids `(batch, length)` without the start, `PAD` after the end.
    """
    rows = prefixes(model, source)
    words = source.new_full((len(source),), START)
    ended = torch.zeros_like(words, dtype=torch.bool)
    ids: list[Tensor] = []
    while len(ids) < len(model.positions) and not bool(ended.all()):
        logits = rows.step(words)
        words = torch.multinomial(logits.softmax(-1), 1)[:, 0] if sampling else logits.argmax(-1)
        ids.append(words.masked_fill(ended, PAD))
        ended |= words == END
    return torch.stack(ids, dim=1)


@torch.no_grad()
def beam_search(model: Translator, source: Tensor, width: int) -> Tensor:
    """Translate with the `width` most probable hypotheses kept at every step.

    A finished hypothesis keeps its place among the unfinished ones until they beat it. A source is done, and leaves
    the batch, when a finished one leads: words to come cannot make any other more probable.

    Args:
        source: ids `(batch, length)`.

    Returns:
        Ids `(batch, length)` of the most probable hypothesis, without the start, `PAD` after the end.
    """
    found = source.new_full((len(source), len(model.positions)), PAD)
    todo = torch.arange(len(source), device=source.device)  # rows of `source` that are not done
    rows = prefixes(model, source)
    rows.take(todo.repeat_interleave(width))
    ids = source.new_full((len(source), width, 1), START)
    scores = torch.full((len(source), width), -torch.inf, device=source.device)
    scores[:, 0] = 0.0  # all hypotheses begin alike: one of them stands for all
    ended = torch.zeros_like(scores, dtype=torch.bool)
    while len(todo) and ids.shape[2] <= len(model.positions):
        steps = rows.step(ids[:, :, -1].flatten()).log_softmax(-1).unflatten(0, (-1, width))
        steps = steps.masked_fill(ended[:, :, None], -torch.inf)
        steps[:, :, PAD].masked_fill_(ended, 0.0)  # the one way a finished hypothesis goes on
        scores, best = (scores[:, :, None] + steps).flatten(1).topk(width)
        parents, words = best // steps.shape[2], best % steps.shape[2]
        ids = torch.cat([ids.take_along_dim(parents[:, :, None], 1), words[:, :, None]], dim=2)
        ended = ended.take_along_dim(parents, 1) | (words == END)
        found[todo, : ids.shape[2] - 1] = ids[:, 0, 1:]
        going = ~ended[:, 0]
        kept = parents + width * torch.arange(len(todo), device=source.device)[:, None]
        rows.take(kept[going].flatten())
        todo, ids, scores, ended = todo[going], ids[going], scores[going], ended[going]
    return found


def text(ids: list[int], vocabulary: tuple[str, ...]) -> str:
    """Return the words up to the end sign."""
    end = ids.index(END) if END in ids else len(ids)
    return " ".join(vocabulary[i] for i in ids[:end] if i not in (PAD, START))


def bleu(
    model: Translator,
    examples: Examples,
    splits: Splits,
    beam: int = 1,
    sampling: bool = False,
    batch_size: int = 200,
) -> Score:
    """Translate all examples and score them: BLEU, with the share of sentences exactly right beside it.

    Args:
        beam: hypotheses kept while searching; 1 is greedy.
        sampling: draw each word from the model's distribution.

    Raises:
        Mistake: a search and a draw are both asked for.
    """
    if sampling and beam > 1:
        raise Mistake(f"score.sampling=true draws one word at a time and has no beam; set score.beam=1, got {beam}")
    outputs = [""] * len(examples)
    lengths = (examples.inputs != PAD).sum(1)
    for rows in torch.argsort(lengths, stable=True).split(batch_size):
        source = examples.inputs[rows, : int(lengths[rows].max())]
        found = greedy(model, source, sampling) if beam == 1 else beam_search(model, source, beam)
        for row, ids in zip(rows.tolist(), found.tolist(), strict=True):
            outputs[row] = text(ids, splits.vocabulary)
    truths = [target for _, target in examples.texts]
    statistics, signature = bleu_statistics(outputs, truths)
    exact = sum(a == b for a, b in zip(outputs, truths, strict=True)) / len(truths)
    return Score("BLEU", statistics, outputs, {"exact_match": exact}, signature)
