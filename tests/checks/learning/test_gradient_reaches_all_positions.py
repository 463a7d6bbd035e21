import torch
from torch import nn

from diagkit.checks.learning.gradient_reaches_all_positions import gradient_reaches_all_positions
from diagkit.finding import Verdict
from diagkit.probes.graph_cut import graph_cut


class Listener(nn.Module):
    def __init__(self, cut):
        super().__init__()
        self.words, self.cell, self.cut = nn.Embedding(9, 4), nn.GRUCell(4, 8), cut

    def forward(self, ids):
        state = torch.zeros(len(ids), 8, dtype=self.words.weight.dtype)
        for word in self.words(ids).unbind(1):
            state = self.cell(word, state.detach() if self.cut else state)
        return state


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        return self.out(x[:, 0])


def test_a_state_that_is_detached_at_every_step_fails():
    ids = [(torch.randint(9, (6, 5)), torch.zeros(6))]
    assert gradient_reaches_all_positions(graph_cut(Listener(True), ids)).faults == ("detached_graph",)
    assert gradient_reaches_all_positions(graph_cut(Listener(False), ids)).verdict is Verdict.PASS


def test_positions_that_are_not_used_are_no_cut():
    assert gradient_reaches_all_positions(graph_cut(First(), [(torch.randn(6, 5, 4), torch.zeros(6))]))
