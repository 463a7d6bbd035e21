"""Leave everything as it was: random state, modes, gradients, flags and buffers."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import nn


@contextmanager
def untouched(*models: nn.Module) -> Iterator[None]:
    """Restore the models and all generators at the end of a `with` block, also when it raises.

    Restored: the state of Python's, NumPy's and torch's generators, every module's mode, every parameter's
    `requires_grad` and gradient (the tensors themselves), every buffer's values. Parameters are not: a probe that
    trains does it on a copy.
    """
    modes = [(module, module.training) for model in models for module in model.modules()]
    flags = [(p, p.requires_grad, p.grad) for model in models for p in model.parameters()]
    buffers = [(buffer, buffer.clone()) for model in models for buffer in model.buffers()]
    for parameter, _, _ in flags:
        parameter.grad = None
    try:
        with generators():
            yield
    finally:
        for module, mode in modes:
            module.training = mode
        for parameter, flag, gradient in flags:
            parameter.requires_grad_(flag)
            parameter.grad = gradient
        with torch.no_grad():
            for buffer, values in buffers:
                buffer.copy_(values)


@contextmanager
def generators() -> Iterator[None]:
    """Restore the state of Python's, NumPy's and torch's generators at the end of a `with` block."""
    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put a model into eval mode and compute without gradients; everything is as before afterwards."""
    with untouched(model), torch.no_grad():
        model.eval()
        yield
