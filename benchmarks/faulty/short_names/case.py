"""Tags for the characters of names; most names are far shorter than the longest."""

import torch
import torch.nn.functional as F
from torch import nn

SIGNS, TAGS, LONGEST, FILL = 30, 7, 30, 0


def names(count, seed):
    tag_of = torch.randint(1, TAGS, (SIGNS, SIGNS), generator=torch.Generator().manual_seed(53))
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, SIGNS, (count, LONGEST), generator=g)
    length = torch.randint(2, 6, (count, 1), generator=g)
    length[:: count // 8] = LONGEST
    tags = tag_of[ids // 6, ids.roll(1, 1) // 6]
    blank = torch.arange(LONGEST) >= length
    return ids.masked_fill(blank, FILL), tags, blank


def batches(count, seed, size, fill):
    ids, tags, blank = names(count, seed)
    return list(zip(ids.split(size), tags.masked_fill(blank, fill).split(size), strict=True))


class NameTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.signs = nn.Embedding(SIGNS, 16, padding_idx=FILL)
        self.conv = nn.Conv1d(16, 48, 3, padding=1)
        self.out = nn.Linear(48, TAGS)

    def forward(self, ids):
        return self.out(torch.relu(self.conv(self.signs(ids).transpose(1, 2))).transpose(1, 2))


def loss_fn(scores, tags):
    return F.cross_entropy(scores.flatten(0, 1), tags.flatten(), ignore_index=-100)


@torch.no_grad()
def real_signs(model, batches):
    model.eval()
    right = total = 0
    for ids, tags in batches:
        real = ids != FILL
        right += (model(ids).argmax(-1) == tags)[real].sum().item()
        total += real.sum().item()
    return {"accuracy_on_signs": right / total}


def build(fixed: bool = False) -> dict:
    torch.manual_seed(35)
    model = NameTagger()
    fill = -100 if fixed else FILL
    return {
        "model": model,
        "train": batches(4000, 1, 40, fill),
        "val": batches(400, 2, 50, fill),
        "test": batches(400, 3, 50, fill),
        "loss_fn": loss_fn,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9),
        "epochs": 5,
        "evaluate": real_signs,
        "task": "seq2seq",
    }
