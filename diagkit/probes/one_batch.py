"""Can the model learn one batch by heart?

200 steps of Adam at 1e-3 on the first batch, gradient norm clipped at 100 and logged, on a copy of the untrained model,
where the run did not even halve its loss. A loss that falls only because exploding gradients were cut does not count.

Sources: Karpathy's recipe (2019), overfit one batch; Ng, and PyTorch Lightning's `overfit_batches`.
"""

import copy
import time
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from diagkit.batches import Loss, Predict, call, split
from diagkit.evidence.learning import OneBatch
from diagkit.evidence.training import History
from diagkit.guard import generators
from diagkit.probes.rate_trial import ENOUGH, train_loss
from diagkit.subject import NotGiven

DEEP = True
STEPS = 200
RATE = 1e-3
CLIP = 100.0
SECONDS = 8.0


def one_batch(
    model: nn.Module,
    trained_model: nn.Module,
    train: Iterable[Any],
    loss_fn: Loss,
    history: History,
    predict: Predict | None = None,
) -> OneBatch:
    """Fit the first batch.

    Raises:
        NotGiven: the run did well, or there was no time.
    """
    batches = list(train)
    start, end = (train_loss(m, batches, loss_fn, predict) for m in (model, trained_model))
    if start > 0 and end <= ENOUGH * start:
        raise NotGiven(f"the run brought its loss from {start:.3g} to {end:.3g}")
    with generators():
        norms, losses = _fit(*copy.deepcopy((model, loss_fn)), split(batches[0]), predict)
    if len(norms) < STEPS // 2:
        raise NotGiven(f"there was time for {len(norms)} steps only")
    return OneBatch(len(norms), losses[0], min(losses), sum(n > CLIP for n in norms) / len(norms), max(norms))


def _fit(
    model: nn.Module, loss_fn: Loss, batch: tuple[Any, Any], predict: Predict | None
) -> tuple[list[float], list[float]]:
    parameters = [p for p in model.parameters() if p.requires_grad]
    if not parameters:
        raise NotGiven("no parameter requires a gradient")
    optimizer = torch.optim.Adam(parameters, lr=RATE)
    model.train()
    norms, losses = [], []
    until = time.monotonic() + SECONDS
    for _ in range(STEPS):
        loss = loss_fn(call(model, batch[0], predict), copy.deepcopy(batch[1]))
        if not loss.requires_grad:
            raise NotGiven("the loss does not require a gradient")
        optimizer.zero_grad()
        loss.backward()
        for p in parameters:
            if p.grad is not None and p.grad.is_sparse:
                p.grad = p.grad.to_dense()
        norms.append(float(nn.utils.clip_grad_norm_(parameters, CLIP)))
        losses.append(float(loss.detach()))
        optimizer.step()
        if time.monotonic() > until:
            break
    return norms, losses
