"""Guess what kind of task a model is trained for, from its loss and targets."""

import torch
from torch import Tensor, nn

TASKS = ("classification", "binary", "regression", "seq2seq", "language_model")


def guess(inputs: object, outputs: Tensor, targets: object, loss_fn: object) -> str:
    """Return the likeliest of `TASKS`.

    Whole-number targets are classes: one for each example, or one for each position, which are predicted from another
    sequence (seq2seq) or from the positions before (language_model). Numbers of only 0 and 1 under a loss on
    probabilities are binary, everything else is regression.
    """
    if not isinstance(targets, Tensor):
        return "regression"
    if not targets.is_floating_point() and targets.dtype != torch.bool:
        if targets.dim() < 2:
            return "classification"
        several = isinstance(inputs, tuple | list | dict) and len(inputs) > 1
        return "seq2seq" if several else "language_model" if _same_shape(inputs, targets) else "classification"
    zeros_and_ones = bool(((targets == 0) | (targets == 1)).all())
    probabilities = isinstance(
        loss_fn, nn.BCELoss | nn.BCEWithLogitsLoss | nn.SoftMarginLoss
    ) or "cross_entropy" in str(getattr(loss_fn, "__name__", ""))
    return "binary" if zeros_and_ones and (probabilities or targets.dtype == torch.bool) else "regression"


def _same_shape(inputs: object, targets: Tensor) -> bool:
    return isinstance(inputs, Tensor) and not inputs.is_floating_point() and inputs.shape == targets.shape
