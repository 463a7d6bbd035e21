"""What does a model of 100 million parameters cost the checks that need no training?

    python benchmarks/large.py

Prints the seconds of the whole diagnosis on one thread and the peak memory beyond that of one forward and backward
pass, in copies of the model's weights; the bars are 60 s and one copy.
"""

import resource
import time

import torch
from torch import nn

from diagkit import diagnose
from diagkit.examine import TRAINED
from diagkit.judge import checks
from diagkit.measure import needs
from diagkit.probes import probe_names

WIDTH, LAYERS, WORDS, LENGTH, BATCH = 768, 12, 20_000, 32, 8


class Language(nn.Module):
    """A causal Transformer of the size of GPT-2 small, with tied embeddings."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 12, 4 * WIDTH, 0.1, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.output = nn.Linear(WIDTH, WORDS, bias=False)
        self.output.weight = self.words.weight
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return logits `(batch, length, words)`."""
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        return self.output(self.layers(x, mask, is_causal=True))


def loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy per word."""
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def untrained_checks() -> list[str]:
    """Return the checks whose evidence needs no trained model."""
    late = {name for name in probe_names() if TRAINED & needs(name)} | TRAINED
    return [name for name, check in checks().items() if not late & set(check.evidence)]


def main() -> None:
    """Print time and memory."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Language()
    size = sum(p.numel() for p in model.parameters())
    ids = torch.randint(WORDS, (4, BATCH, LENGTH + 1))
    batches = [(part[:, :-1], part[:, 1:]) for part in ids]
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    loss(model(batches[0][0]), batches[0][1]).backward()
    optimizer.zero_grad()
    asked = untrained_checks()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    diagnosis = diagnose(model, batches, loss, optimizer, val=batches[:1], task="language_model", only=asked)
    seconds = time.perf_counter() - began
    extra = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    answered = sum(f.verdict.value in ("PASS", "FAIL") for f in diagnosis.findings)
    print(f"{size / 1e6:.0f} million parameters, {len(asked)} checks without training, {answered} answered")
    print(f"{seconds:.1f} s (bar 60); peak memory +{extra / 2**20:.0f} MiB, {extra / (4 * size):.2f} copies (bar 1)")
    print(f"causes: {', '.join(diagnosis.causes) or 'none'}")


if __name__ == "__main__":
    main()
