"""Crops of a picture as arrays."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from pytest_apex.model.geometry import EMPTY, Rect
from pytest_apex.model.snapshot import Picture

#: Red, green and blue, 0 to 255.
Color: TypeAlias = tuple[int, int, int]


def covering(box: Rect) -> Rect:
    """The whole pixels that a box touches; empty for one without a size or with edges that are no numbers."""
    if box.is_empty or not all(map(math.isfinite, (box.left, box.top, box.right, box.bottom))):
        return EMPTY
    return Rect(math.floor(box.left), math.floor(box.top), math.ceil(box.right), math.ceil(box.bottom))


def crop(picture: Picture, box_px: Rect) -> Any:
    """The pixels in a box as an array (height, width, 3) of uint8; without elements where it misses the picture."""
    part = covering(box_px).intersect(Rect(0, 0, picture.size.width, picture.size.height))
    if part.is_empty:
        return np.zeros((0, 0, 3), dtype=np.uint8)
    return np.asarray(picture.pixels().crop((int(part.left), int(part.top), int(part.right), int(part.bottom))))


def counted(pixels: Any) -> tuple[Any, Any]:
    """The colours of an array as packed numbers (red·65536 + green·256 + blue), and how often each occurs, most
    frequent first; equally frequent ones darkest first."""
    packed = pixels.reshape(-1, 3).astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    colors, counts = np.unique(packed, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return colors[order], counts[order]


def unpacked(color: int) -> Color:
    return color >> 16 & 255, color >> 8 & 255, color & 255
