"""Decoding: beam search against all sequences, the cache against computing everything again."""

from itertools import product

import pytest
import torch
from torch import Tensor

from diagkit.mistake import Mistake
from diagkit.tasks import translation
from diagkit.tasks.decoding import Cached, Recomputed, beam_search, bleu, greedy
from diagkit.tasks.transformer import Translator
from diagkit.tasks.translation import END, PAD, START

WORDS, POSITIONS = 5, 4
SEEDS = range(5)
SOURCES = torch.tensor([[3, 4, 3], [4, 3, PAD], [3, PAD, PAD]])


def model(seed: int, causal: bool = True) -> Translator:
    """Return an untrained model whose outputs differ much, so that the greedy word is often the wrong one."""
    torch.manual_seed(seed)
    built = Translator(WORDS, POSITIONS, 8, 2, 2, 16, 0.0, 0.35, causal).eval()
    with torch.no_grad():
        built.output.weight.mul_(3)
    return built


def prefixes() -> list[tuple[int, ...]]:
    """Return every sentence that decoding can write: up to its end sign, or as long as there are positions."""
    ended = [(*words, END) for n in range(POSITIONS) for words in product((PAD, START, 3, 4), repeat=n)]
    return [*ended, *product((PAD, START, 3, 4), repeat=POSITIONS)]


@torch.no_grad()
def most_probable(translator: Translator, source: Tensor) -> list[int]:
    """Return the most probable sentence by trying all of them, without a cache."""
    sentences = torch.tensor([[*its, *[PAD] * (POSITIONS - len(its))] for its in prefixes()])
    lengths = torch.tensor([len(its) for its in prefixes()])
    prompts = torch.nn.functional.pad(sentences[:, :-1], (1, 0), value=START)
    logs = translator(source.expand(len(sentences), -1), prompts).log_softmax(-1)
    counted = torch.arange(POSITIONS) < lengths[:, None]
    scores = (logs.gather(2, sentences[:, :, None])[:, :, 0] * counted).sum(1)
    return sentences[scores.argmax()].tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_as_wide_as_all_prefixes_finds_the_most_probable_sentence(seed: int) -> None:
    translator = model(seed)
    found = beam_search(translator, SOURCES, len(prefixes()))
    for row, source in enumerate(SOURCES):
        assert found[row].tolist() == most_probable(translator, source[None, source != PAD])


def test_greedy_often_misses_what_the_beam_finds() -> None:
    missed = [
        not torch.equal(padded(greedy(model(seed), SOURCES)), beam_search(model(seed), SOURCES, 400)) for seed in SEEDS
    ]
    assert any(missed)


def padded(ids: Tensor) -> Tensor:
    return torch.nn.functional.pad(ids, (0, POSITIONS - ids.shape[1]), value=PAD)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_of_one_is_greedy(seed: int, causal: bool) -> None:
    translator = model(seed, causal)
    assert torch.equal(beam_search(translator, SOURCES, 1), padded(greedy(translator, SOURCES)))


@torch.no_grad()
def test_cached_logits_are_those_of_the_whole_prefix() -> None:
    torch.manual_seed(0)
    translator = Translator(20, 12, 32, 4, 2, 64, 0.1, 0.2, True).eval()
    sources = torch.randint(3, 20, (6, 9))
    sources[2:, 6:] = PAD
    ways = [Cached(translator, sources), Recomputed(translator, sources)]
    words = torch.full((6,), START)
    for step in range(12):
        one, other = (way.step(words) for way in ways)
        assert torch.allclose(one, other, rtol=0, atol=1e-5)
        order = torch.randint(0, 6, (6,))
        if step % 3 == 1:
            for way in ways:
                way.take(order)
        words = torch.randint(0, 20, (6,))


@pytest.mark.parametrize("width", [1, 2, 4])
def test_a_sentence_does_not_depend_on_the_others_in_its_batch(width: int) -> None:
    for seed in SEEDS:
        together = beam_search(model(seed), SOURCES, width)
        for row, source in enumerate(SOURCES):
            assert torch.equal(beam_search(model(seed), source[None, source != PAD], width)[0], together[row])


def test_a_draw_follows_the_distribution_and_is_another_each_time() -> None:
    translator = model(0)
    sources = SOURCES[:1].repeat(4000, 1)
    first = greedy(translator, sources, sampling=True)[:, 0]
    expected = Recomputed(translator, SOURCES[:1]).step(torch.tensor([START])).softmax(-1)[0]
    drawn = torch.bincount(first, minlength=WORDS) / len(first)
    assert torch.allclose(drawn, expected, atol=0.04)  # five standard errors at most
    assert not torch.equal(first, greedy(translator, sources, sampling=True)[:, 0])


def test_a_beam_of_draws_is_refused() -> None:
    splits = translation.load(None, [0, 1], 20, 10, 10, 40, seed=0)
    with pytest.raises(Mistake, match=r"set score\.beam=1, got 5"):
        bleu(model(0), splits.test, splits, beam=5, sampling=True)
