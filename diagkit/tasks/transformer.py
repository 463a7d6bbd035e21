"""A post-norm Transformer (Vaswani et al. 2017) for sentence pairs; `decoding` writes with it."""

import math
from collections.abc import Sequence
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from diagkit.examples import Splits
from diagkit.tasks.translation import PAD

Memory = tuple[Tensor, Tensor]  # keys and values, `(batch, heads, length, width / heads)` each


class Dropout(nn.Module):
    """Drop elements with 16 random bits each: `nn.Dropout` spends a sixth of this model's step on a draw for each.

    The share dropped is exact to 1/65536.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        words = torch.empty((x.numel() + 3) // 4, dtype=torch.int64, device=x.device)
        bits = words.random_(-(2**63), None).view(torch.int16)[: x.numel()].view(x.shape)
        return x * (bits >= round(self.p * 65536) - 32768).to(x.dtype).mul_(1 / (1 - self.p))


class Attention(nn.Module):
    """Multi-head attention of `x` over `memory`, the three input projections in one tensor as in PyTorch's own."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.project, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(
        self, x: Tensor, memory: Tensor | None = None, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """Attend to `memory`, or to `x` itself without one; `mask` is True where attention is allowed."""
        query, key, value = self.projected(x) if memory is None else (self.query(x), *self.keys_values(memory))
        return self.attend(query, key, value, mask, causal)

    def projected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return query, key and value of `x`, `(batch, heads, length, width / heads)` each."""
        query, key, value = self._split(self.project(x), 3)
        return query, key, value

    def query(self, x: Tensor) -> Tensor:
        """Return the first of the three alone."""
        width = x.shape[-1]
        return self._split(F.linear(x, self.project.weight[:width], self.project.bias[:width]), 1)[0]

    def keys_values(self, memory: Tensor) -> Memory:
        """Return the other two alone."""
        width = memory.shape[-1]
        key, value = self._split(F.linear(memory, self.project.weight[width:], self.project.bias[width:]), 2)
        return key, value

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """Mix the values by how well their keys answer the query."""
        dropout = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, mask, dropout, is_causal=causal)
        attended: Tensor = self.out(mixed.transpose(1, 2).flatten(2))
        return attended

    def _split(self, projected: Tensor, parts: int) -> tuple[Tensor, ...]:
        """Return `parts` tensors `(batch, heads, length, width / heads)`."""
        heads: Tensor = projected.unflatten(-1, (parts, self.heads, -1))
        return heads.permute(2, 0, 3, 1, 4).unbind()


def _feed_forward(width: int, inner: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, inner), nn.ReLU(), Dropout(dropout), nn.Linear(inner, width))


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward part, each added to its input and normalized afterwards."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(width, heads, dropout)
        self.feed_forward = _feed_forward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        x = self.norms[0](x + self.dropout(self.attention(x, mask=mask)))
        x = self.norms[1](x + self.dropout(self.feed_forward(x)))
        return x


class DecoderLayer(nn.Module):
    """Self-attention, attention over the encoder's output, and a feed-forward part, post-norm.

    Args:
        causal: whether a position is kept from seeing those after it.
    """

    def __init__(self, width: int, heads: int, inner: int, dropout: float, causal: bool) -> None:
        super().__init__()
        self.causal = causal
        self.attention = Attention(width, heads, dropout)
        self.cross_attention = Attention(width, heads, dropout)
        self.feed_forward = _feed_forward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        x = self.norms[0](x + self.dropout(self.attention(x, causal=self.causal)))
        x = self.norms[1](x + self.dropout(self.cross_attention(x, memory, mask)))
        x = self.norms[2](x + self.dropout(self.feed_forward(x)))
        return x

    def step(self, x: Tensor, past: Memory | None, source: Memory, mask: Tensor | None) -> tuple[Tensor, Memory]:
        """Read one more position.

        Args:
            x: `(batch, 1, width)`.
            past: keys and values of the positions before it; None where it is the first.
            source: keys and values of the encoder's output.

        Returns:
            What `forward` gives for the last position, and the keys and values up to it.
        """
        query, key, value = self.attention.projected(x)
        if past:
            key, value = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        cross = self.cross_attention
        x = self.norms[0](x + self.dropout(self.attention.attend(query, key, value)))
        x = self.norms[1](x + self.dropout(cross.attend(cross.query(x), *source, mask=mask)))
        x = self.norms[2](x + self.dropout(self.feed_forward(x)))
        return x, (key, value)


class Encoder(nn.Module):
    """The layers that read the source."""

    def __init__(self, layers: int, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(width, heads, inner, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        normed: Tensor = self.norm(x)
        return normed


class Decoder(nn.Module):
    """The layers that write the target."""

    def __init__(self, layers: int, width: int, heads: int, inner: int, dropout: float, causal: bool) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(width, heads, inner, dropout, causal) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        for layer in self.layers:
            x = layer(x, memory, mask)
        normed: Tensor = self.norm(x)
        return normed

    def read(self, memory: Tensor) -> list[Memory]:
        """Return every layer's keys and values of the encoder's output."""
        return [layer.cross_attention.keys_values(memory) for layer in self._layers()]

    def step(
        self, x: Tensor, past: Sequence[Memory | None], source: Sequence[Memory], mask: Tensor | None
    ) -> tuple[Tensor, list[Memory]]:
        """Do what `DecoderLayer.step` does in every layer; `past` and `source` have an entry for each."""
        grown = []
        for layer, mine, its in zip(self._layers(), past, source, strict=True):
            x, longer = layer.step(x, mine, its, mask)
            grown.append(longer)
        return self.norm(x), grown

    def _layers(self) -> list[DecoderLayer]:
        return cast(list[DecoderLayer], list(self.layers))


class Translator(nn.Module):
    """Encoder-decoder Transformer with sinusoidal positions; as many parameters as `torch.nn.Transformer`.

    Args:
        words: size of the joint vocabulary.
        positions: length of the longest sequence.
        embedding_std: of the initial embeddings, which are multiplied by sqrt(width) while the positions have
            amplitude 1: at width**-0.5 both arrive equally strong, at 1 the positions drown.
        causal: whether a target position is kept from seeing the words after it.
    """

    def __init__(
        self,
        words: int,
        positions: int,
        width: int,
        heads: int,
        layers: int,
        inner: int,
        dropout: float,
        embedding_std: float,
        causal: bool,
    ) -> None:
        super().__init__()
        self.causal = causal
        self.source_embedding = nn.Embedding(words, width)
        self.target_embedding = nn.Embedding(words, width)
        self.encoder = Encoder(layers, width, heads, inner, dropout)
        self.decoder = Decoder(layers, width, heads, inner, dropout, causal)
        self.output = nn.Linear(width, words)
        self.dropout = Dropout(dropout)
        self.register_buffer("positions", sinusoids(positions, width), persistent=False)
        self.positions: Tensor
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=embedding_std)

    def forward(self, source: Tensor, prompt: Tensor) -> Tensor:
        """Return logits `(batch, target length, words)` for two tensors of ids, `(batch, length)` each."""
        return self.decode(prompt, *self.encode(source))

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the encoder's output and the mask of its real words, None when all are."""
        real = source != PAD
        mask = None if bool(real.all()) else real[:, None, None, :]
        return self.encoder(self._embed(self.source_embedding, source), mask), mask

    def decode(self, prompt: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        """Return logits for the word after every prefix of `prompt`; padding at its end changes none before it."""
        logits: Tensor = self.output(self.decoder(self._embed(self.target_embedding, prompt), memory, mask))
        return logits

    def step(
        self, words: Tensor, past: Sequence[Memory | None], source: Sequence[Memory], mask: Tensor | None
    ) -> tuple[Tensor, list[Memory]]:
        """Decode one more position of every row.

        Args:
            words: `(batch,)`, the ids at that position.
            past: of every layer, the keys and values of the positions before it; None at the first.
            source: of every layer, the keys and values of the encoder's output.

        Returns:
            Logits `(batch, words)` for the next word, and `past` one position longer.
        """
        place = past[0][0].shape[2] if past[0] else 0
        x, grown = self.decoder.step(self._embed(self.target_embedding, words[:, None], place), past, source, mask)
        return self.output(x)[:, 0], grown

    def _embed(self, table: nn.Module, ids: Tensor, place: int = 0) -> Tensor:
        scale = math.sqrt(self.positions.shape[1])
        embedded: Tensor = self.dropout(table(ids) * scale + self.positions[place : place + ids.shape[1]])
        return embedded


def sinusoids(positions: int, width: int) -> Tensor:
    """Return the position codes `(positions, width)` of Vaswani et al. 2017, section 3.5."""
    angle = torch.arange(positions)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :width]


def translator(
    splits: Splits,
    width: int,
    heads: int,
    layers: int,
    inner: int,
    dropout: float,
    embedding_std: float,
    causal: bool = True,
) -> Translator:
    """Build the model for the vocabulary and lengths of `splits`."""
    parts = (splits.train, splits.val, splits.test)
    positions = max(max(part.inputs.shape[1], part.targets.shape[1]) for part in parts)
    return Translator(len(splits.vocabulary), positions, width, heads, layers, inner, dropout, embedding_std, causal)
