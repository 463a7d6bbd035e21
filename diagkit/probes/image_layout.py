"""Are pictures laid out as the network reads them, colour first?

A tensor stored as (height, width, colour) and viewed as (colour, height, width) has all its numbers and none of its
neighbourhoods. Read back with colour last, its neighbouring pixels resemble each other; as given, they do not.

Source: Slavv, 37 reasons why your neural network is not working (2017): look at what goes into the network.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from diagkit.batches import tensors
from diagkit.evidence.wrong_thing import ImageLayout
from diagkit.probes._asking import first_examples
from diagkit.subject import NotGiven

IMAGES = 128
COLOURS = 3
MIN_SIDE = 8


def image_layout(train: Iterable[Any]) -> ImageLayout:
    """Compare neighbouring pixels of images as given and read with colour last.

    Raises:
        NotGiven: inputs are no pictures of three colours.
    """
    pictures = tensors(first_examples(train, IMAGES)[0])[0]
    if pictures.dim() != 4 or not pictures.is_floating_point() or pictures.shape[1] != COLOURS:
        raise NotGiven("inputs are no pictures of three colours")
    if min(pictures.shape[2:]) < MIN_SIDE or len(pictures) < 8:
        raise NotGiven(f"pictures are smaller than {MIN_SIDE} pixels, or fewer than 8")
    pictures = pictures.detach().cpu().float().contiguous()
    count, colours, height, width = pictures.shape
    pictures = pictures - pictures.mean((2, 3), keepdim=True)  # or colours of different brightness look like a pattern
    given = _neighbours(pictures)
    last = _neighbours(pictures.view(count, height, width, colours).permute(0, 3, 1, 2))
    return ImageLayout(
        images=count,
        given=float(given.mean()),
        colour_last=float(last.mean()),
        given_down=float(given[0].mean()),
        colour_last_down=float(last[0].mean()),
        smoother_last=float((last.mean(0) > given.mean(0)).float().mean()),
    )


def _neighbours(pictures: Tensor) -> Tensor:
    """Return `(2, images)`, the correlation of neighbours in height and in width."""
    centred = pictures - pictures.mean((2, 3), keepdim=True)
    power = (centred**2).mean((1, 2, 3)).clamp(min=1e-12)
    down = (centred[:, :, 1:] * centred[:, :, :-1]).mean((1, 2, 3))
    across = (centred[..., 1:] * centred[..., :-1]).mean((1, 2, 3))
    return torch.stack([down, across]) / power
