"""`data/epoch_holds_distinct_examples`: edge cases, and its probe on small live objects."""

import torch
from torch.utils.data import DataLoader, RandomSampler, SubsetRandomSampler, TensorDataset

from diagkit.checks.data.epoch_holds_distinct_examples import epoch_holds_distinct_examples
from diagkit.finding import Verdict
from diagkit.probes.epoch_contents import epoch_contents

X, Y = torch.randn(200, 6), torch.arange(200) % 4
BATCHES = list(zip(X.split(20), Y.split(20), strict=True))


def test_the_same_batch_again_and_the_same_stream_twice_are_found() -> None:
    assert epoch_holds_distinct_examples(epoch_contents(BATCHES[:1] * 10)).faults == ("repeated_batches",)
    assert epoch_holds_distinct_examples(epoch_contents(BATCHES * 2)).faults == ("repeated_batches",)


def test_lists_and_sampling_with_replacement_are_healthy() -> None:
    assert epoch_holds_distinct_examples(epoch_contents(BATCHES))
    data = TensorDataset(X, Y)
    assert epoch_holds_distinct_examples(epoch_contents(DataLoader(data, 20, sampler=RandomSampler(data, True, 400))))
    assert epoch_holds_distinct_examples(epoch_contents(DataLoader(data, 10, sampler=SubsetRandomSampler(range(60)))))


def test_a_sampler_that_starts_anew_and_leaves_most_out_is_found() -> None:
    class Starts(list[int]):
        """Indices in one mixed order."""

    order = Starts(torch.randperm(200, generator=torch.Generator().manual_seed(0))[:60].tolist())
    loader = DataLoader(TensorDataset(X, Y), 10, sampler=order)
    assert epoch_holds_distinct_examples(epoch_contents(loader)).faults == ("repeated_batches",)


def test_inputs_of_few_bits_and_constant_inputs_are_not_judged() -> None:
    table = torch.tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert epoch_holds_distinct_examples(epoch_contents([(table, table[:, 0])] * 9)).verdict is Verdict.SKIP
    zeros = [(torch.zeros(20, 30), Y[:20])] * 9
    assert epoch_holds_distinct_examples(epoch_contents(zeros)).verdict is Verdict.SKIP
